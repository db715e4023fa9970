import { describe, expect, it } from 'vitest';
import { memoryKit } from './memory-kit.conformance.ts';
import { exportMemory, importMemory } from './memory-lines.ts';

async function linesOf(
  { parts, clock }: ReturnType<typeof memoryKit>,
  namespace?: string,
): Promise<string[]> {
  const lines: string[] = [];
  const only = namespace === undefined ? {} : { namespace };
  for await (const line of exportMemory(parts.records, { now: clock.now(), ...only })) lines.push(line);
  return lines;
}

const LINES = [
  { kind: 'fact', text: 'Ada drinks tea', namespace: 'people', importance: 5, source: 'chat', at: 5 },
  { kind: 'episode', text: 'hello', conversation: 'c', at: 9 },
  { kind: 'episode', text: 'ok', conversation: 'c', at: 7 },
  { kind: 'episode', text: 'ok', conversation: 'c', at: 7 },
  { kind: 'episode', text: 'elsewhere', namespace: 'b', at: null, unknown: [1] },
].map((line) => JSON.stringify(line));

describe('memory as lines', () => {
  it('is exported and imported completely, in order', async () => {
    const [from, to] = [memoryKit(), memoryKit()];
    expect(await importMemory(from.memory, [...LINES, ''], 'me')).toEqual({
      facts: 1,
      episodes: 4,
      known: 0,
    });
    const lines = await linesOf(from);
    expect(lines).toHaveLength(5);
    await importMemory(to.memory, lines, 'me');
    expect(await linesOf(to)).toEqual(lines);
    const said = await to.parts.records.conversation('default', 'c', 9);
    expect(said.map(({ text }) => text)).toEqual(['hello', 'ok', 'ok']);
    expect(await to.memory.facts({ limit: 5 })).toMatchObject([{ at: 5, importance: 5, source: 'chat' }]);
  });

  it('imports nothing twice', async () => {
    const kit = memoryKit();
    await importMemory(kit.memory, LINES.slice(0, 4), 'me');
    const before = await linesOf(kit);
    expect(await importMemory(kit.memory, LINES.slice(0, 4), 'me')).toEqual({
      facts: 0,
      episodes: 0,
      known: 4,
    });
    expect(await importMemory(kit.memory, before, 'me')).toEqual({ facts: 0, episodes: 0, known: 4 });
    expect(await linesOf(kit)).toEqual(before);
  });

  it('keeps imported ids: the same id may exist in every namespace and is found unchanged', async () => {
    const kit = memoryKit();
    const turn = (namespace: string, id: string, text: string) =>
      JSON.stringify({ kind: 'episode', namespace, conversation: 'one', at: 5, id, text });
    const first = [turn('a', 'D1:1', 'tea, please'), turn('b', 'D1:1', 'tea again'), turn('a#b', '1', 'tea')];
    expect(await importMemory(kit.memory, first, 'me')).toMatchObject({ episodes: 3, known: 0 });
    // The same words at the same moment, by another id, are another turn.
    const second = [turn('a', 'D1:2', 'tea, please'), turn('b', 'D1:1', 'said before')];
    expect(await importMemory(kit.memory, second, 'me')).toMatchObject({ episodes: 1, known: 1 });
    const idsIn = async (namespace: string) =>
      (await kit.memory.retrieve({ query: 'tea', namespace, limit: 5 })).hits.map(({ id }) => id).sort();
    expect(await idsIn('a')).toEqual(['D1:1', 'D1:2']);
    expect(await idsIn('b')).toEqual(['D1:1']);
    expect(await idsIn('a#b')).toEqual(['1']);
    const carried = memoryKit();
    await importMemory(carried.memory, await linesOf(kit), 'me');
    expect(await linesOf(carried)).toEqual(await linesOf(kit));
  });

  it('prefixes the speaker to the text and reads ISO 8601 times', async () => {
    const kit = memoryKit();
    const lines = [
      { speaker: 'Gina', text: 'I opened a studio', at: '2023-05-08T13:56' },
      { speaker: 'Gina', text: 'Gina: it is small', at: '2023-05-08T13:56:00+02:00' },
      { text: 'a day', at: '2023-05-08' },
    ].map((line) => JSON.stringify({ kind: 'episode', ...line }));
    await importMemory(kit.memory, lines, 'me');
    expect((await linesOf(kit)).map((line) => JSON.parse(line))).toMatchObject([
      { text: 'Gina: I opened a studio', at: Date.UTC(2023, 4, 8, 13, 56) },
      { text: 'Gina: it is small', at: Date.UTC(2023, 4, 8, 11, 56) },
      { text: 'a day', at: Date.UTC(2023, 4, 8) },
    ]);
  });

  it('exports a single namespace', async () => {
    const kit = memoryKit();
    await importMemory(kit.memory, LINES, 'me');
    expect((await linesOf(kit, 'b')).map((line) => JSON.parse(line).text)).toEqual(['elsewhere']);
  });

  it.each([
    ['that is not JSON', 'hello'],
    ['that is not an object', '[1]'],
    ['of no kind', '{"text":"a"}'],
    ['without a text', '{"kind":"fact"}'],
    ['whose text is a number', '{"kind":"episode","text":1}'],
    ['of an importance out of range', '{"kind":"fact","text":"a","importance":9}'],
    ['of a time that is a text', '{"kind":"episode","text":"a","at":"yesterday"}'],
    ['with an invalid restsOn', '{"kind":"fact","text":"a","restsOn":{"path":1}}'],
  ])('with a line %s is refused whole, and the line is named', async (_how, line) => {
    const kit = memoryKit();
    await expect(importMemory(kit.memory, [...LINES, line], 'me')).rejects.toMatchObject({
      code: 'memory.invalid',
      data: { line: 6 },
    });
    expect(await linesOf(kit)).toEqual([]);
  });
});
