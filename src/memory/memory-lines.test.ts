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
  it('is carried over whole, in order', async () => {
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

  it('brings nothing twice', async () => {
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

  it('exports one namespace when asked', async () => {
    const kit = memoryKit();
    await importMemory(kit.memory, LINES, 'me');
    expect((await linesOf(kit, 'b')).map((line) => JSON.parse(line).text)).toEqual(['elsewhere']);
  });

  it.each([
    ['that is not JSON', 'hello'],
    ['that is no object', '[1]'],
    ['of no kind', '{"text":"a"}'],
    ['without a text', '{"kind":"fact"}'],
    ['whose text is a number', '{"kind":"episode","text":1}'],
    ['of an importance out of range', '{"kind":"fact","text":"a","importance":9}'],
    ['of a time that is a text', '{"kind":"episode","text":"a","at":"yesterday"}'],
    ['resting on nothing', '{"kind":"fact","text":"a","restsOn":{"path":1}}'],
  ])('with a line %s is refused whole, and the line is named', async (_how, line) => {
    const kit = memoryKit();
    await expect(importMemory(kit.memory, [...LINES, line], 'me')).rejects.toMatchObject({
      code: 'memory.invalid',
      data: { line: 6 },
    });
    expect(await linesOf(kit)).toEqual([]);
  });
});
