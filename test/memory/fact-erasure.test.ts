import { describe, expect, it } from 'vitest';
import { eraseRandomFact, filesWith, openWorkspace, pursue } from './erase-facts.ts';

const TEXT = 'the vault of Zurq opens with 4711';

describe('the erasure of a fact', () => {
  it('covers the goal that stated it, and says everywhere only when a search finds it nowhere', async () => {
    const { oka, place } = await openWorkspace();
    const run = await pursue(oka, `remember that ${TEXT}`);
    const [fact] = await oka.memory.listFacts({ limit: 1 });
    const id = fact?.id as string;
    expect(await oka.memory.factPlaces(id)).toMatchObject([{ id: run }]);
    const answer = await oka.memory.eraseFact({ id, erase: ['all'], by: 'me' });
    expect(answer).toMatchObject({ erased: [{ id: run }], kept: [], remains: [], everywhere: true });
    expect(filesWith(place, TEXT)).toEqual([]);
    expect(
      (await oka.memory.retrieve({ query: TEXT, limit: 10 })).hits.map(({ text }) => text),
    ).not.toContain(TEXT);
    await expect(oka.memory.getFact(id)).rejects.toMatchObject({ code: 'memory.unknown' });
  });

  it('keeps what was not chosen, and does not say everywhere', async () => {
    const { oka, place } = await openWorkspace();
    const run = await pursue(oka, `remember that ${TEXT}`);
    await oka.chat.send({ conversation: 'main', text: `Note: ${TEXT}.`, by: 'me' });
    const [fact] = await oka.memory.listFacts({ limit: 1 });
    const answer = await oka.memory.eraseFact({ id: fact?.id as string, erase: ['chat/main/0'], by: 'me' });
    expect(answer).toMatchObject({ erased: [{ id: 'chat/main/0' }], kept: [{ id: run }], everywhere: false });
    expect(filesWith(place, TEXT).length).toBeGreaterThan(0);
  });

  it('refuses an unknown place, and a run that has not ended, and erases nothing then', async () => {
    const { oka } = await openWorkspace();
    const { fact } = await oka.memory.addFact({ text: 'Wait for the event go', by: 'me' });
    const waiting = await pursue(oka, 'wait for the event "go"');
    expect(await oka.memory.factPlaces(fact.id)).toMatchObject([{ id: waiting, open: true }]);
    const erase = (...places: string[]) => oka.memory.eraseFact({ id: fact.id, erase: places, by: 'me' });
    await expect(erase('run/none')).rejects.toMatchObject({ code: 'memory.invalid' });
    await expect(erase('all')).rejects.toMatchObject({ code: 'memory.in_use', data: { places: [waiting] } });
    expect(await oka.memory.getFact(fact.id)).toMatchObject({ id: fact.id });
    expect(await erase()).toMatchObject({ kept: [{ id: waiting }], everywhere: false });
  });

  it.each([0, 1, 2])('leaves exactly what was kept (%i)', eraseRandomFact);
});
