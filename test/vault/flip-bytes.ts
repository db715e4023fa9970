import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { OkaError } from '../../src/kernel/index.ts';
import { vaultKit } from './vault-kit.ts';

/** Flips a bit of every byte, or of every n-th, of a vault file with two records, and checks what is reported. */
export async function flipBytes(every: number): Promise<void> {
  const kit = vaultKit();
  const records = [];
  for (const name of ['a', 'b'])
    records.push(
      await kit.vault.add({
        name,
        value: `the value of ${name}`,
        scopes: ['*'],
        keySource: 'file',
        by: 'me',
      }),
    );
  const whole = readFileSync(kit.file);
  const [header, first] = whole.toString().split('\n') as [string, string];
  expect(await kit.vault.faults()).toEqual([]);
  const taken = ({ record: id, version }: { record: string; version: number }): Promise<string> =>
    kit.secrets.take({ id, version }).then(
      (bytes) => Buffer.from(bytes).toString(),
      ({ code }: OkaError) => code,
    );
  for (let at = 0; at < whole.length; at += every) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
    writeFileSync(kit.file, flipped);
    const answers = await Promise.all(records.map(taken));
    if (at <= header.length) {
      const told = await kit.vault.faults().then(
        ([first]) => first?.what,
        ({ message }: OkaError) => message,
      );
      expect(told).toContain(kit.file);
      for (const answer of answers) expect(answer).toMatch(/^vault\.(damaged|newer_format)$/);
      continue;
    }
    const faults = await kit.vault.faults();
    expect(faults.length).toBeGreaterThan(0);
    for (const { name } of records) {
      const answer = answers[records.findIndex((one) => one.name === name)];
      const isLost = faults.some(({ where }) => where === `credential ${name}`);
      expect([at, answer]).toEqual([at, isLost ? 'vault.damaged' : `the value of ${name}`]);
    }
    if (at < header.length + 1 + first.length) {
      expect(faults).toContainEqual({
        where: `${kit.file} line 2`,
        what: expect.stringContaining('damaged'),
      });
      expect(answers).toEqual(['vault.damaged', 'the value of b']);
    }
  }
}
