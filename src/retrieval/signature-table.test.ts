import { expect, it } from 'vitest';
import { NearestSignatures, SignatureTable, signatureOf } from './signature-table.ts';

it('finds the vectors with the nearest direction in all tables, best first', () => {
  const vectors = [
    [1, 1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, -1, -1, -1, -1],
    [-1, -1, -1, -1, -1, -1, -1, -1],
    [1, 1, 1, 1, 1, 1, 1, -1],
  ].map((vector) => Float32Array.from(vector));
  const tables = [new SignatureTable(8), new SignatureTable(8)];
  for (const [place, vector] of vectors.entries()) tables[place % 2]?.add(place, signatureOf(vector));
  const nearest = new NearestSignatures(vectors[0] as Float32Array, 3);
  for (const table of tables) table.search(nearest);
  expect(nearest.places()).toEqual([0, 3, 1]);
});

it('keeps the best of many more than requested', () => {
  const table = new SignatureTable(16);
  const wanted = Float32Array.from({ length: 16 }, () => 1);
  for (let place = 0; place < 1_000; place++) {
    const ones = place % 17;
    table.add(place, signatureOf(wanted.map((_, axis) => (axis < ones ? 1 : -1))));
  }
  const nearest = new NearestSignatures(wanted, 5);
  table.search(nearest);
  expect(table.size).toBe(1_000);
  expect(nearest.places()).toEqual([16, 33, 50, 67, 84]);
});
