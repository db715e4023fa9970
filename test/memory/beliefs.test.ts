// What a workspace comes to believe: what maintenance learns, what people confirm, and what runs use.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Oka } from '../../src/runtime/index.ts';
import { MaintainedWorkspace, maintain } from '../maintenance/maintained-workspace.ts';

async function open(): Promise<{ readonly oka: Oka; readonly place: MaintainedWorkspace }> {
  const place = new MaintainedWorkspace();
  const oka = place.open();
  await oka.init({ trust: true });
  return { oka, place };
}

test('turns with a speaker are learned as candidates about their speaker, never as rules', async () => {
  const { oka } = await open();
  const turns = [
    ['Anna', 'Hi Ben! My phone is 4711. How are you?'],
    ['Ben', "I live in Bern and I don't like tea."],
    ['Anna', 'Never open the gate. I have two dogs.'],
    ['Assistant', 'My name is Bot. I prefer short answers.'],
    ['Ben', 'Did you see the match?'],
  ] as const;
  const episodes = turns.map(([speaker, text]) => ({ speaker, text, conversation: 'talk' }));
  await oka.memory.recordEpisodes(episodes, 'me');
  await maintain(oka);
  const facts = await oka.memory.listFacts({ limit: 10 });
  expect(facts.map(({ text, status, by }) => `${text} (${status}, ${by})`).sort()).toEqual([
    'Anna has two dogs (candidate, maintenance)',
    "Anna's phone is 4711 (candidate, maintenance)",
    "Ben lives in Bern and they don't like tea (candidate, maintenance)",
  ]);
  await maintain(oka);
  expect(await oka.memory.listFacts({ limit: 10 })).toHaveLength(3);
});

test('a learned fact that contradicts a known one waits for a review, and its history names what happened', async () => {
  const { oka } = await open();
  const { fact: known } = await oka.memory.addFact({ text: "Anna's phone is 1", by: 'me' });
  await oka.memory.recordEpisodes([{ speaker: 'Anna', text: 'My phone is 2.' }], 'me');
  await maintain(oka);
  const [waiting] = await oka.memory.review({ limit: 5 });
  expect(waiting).toMatchObject({
    text: "Anna's phone is 2",
    status: 'candidate',
    source: expect.stringMatching(/^episode\//),
    contradicts: [known.id],
  });
  const { fact, superseded } = await oka.memory.confirmFact(waiting?.id as string, 'me');
  expect({ fact, superseded }).toMatchObject({ fact: { status: 'confirmed' }, superseded: [known.id] });
  const { versions, changes } = await oka.memory.history(known.id);
  expect(versions.map(({ text }) => text)).toEqual(["Anna's phone is 1", "Anna's phone is 2"]);
  expect(changes.map(({ change, by }) => [change, by])).toEqual([
    ['added', 'me'],
    ['added', 'maintenance'],
    ['confirmed', 'me'],
    ['superseded', 'me'],
  ]);
  expect(await oka.memory.undoFact(fact.id, 'me')).toMatchObject({
    restored: [{ id: known.id }],
    undone: [fact.id],
  });
  const { hits } = await oka.memory.searchFacts({ query: "Anna's phone", limit: 5 });
  expect(hits.map(({ text }) => text)).toEqual(["Anna's phone is 1"]);
});

test('a fact can rest on a file, and turns stale when the file changes', async () => {
  const { oka, place } = await open();
  const file = join(place.workspace, 'main.js');
  const { fact } = await oka.memory.addFact({ text: 'main.js starts', file: 'main.js', by: 'me' });
  expect(fact.restsOn).toMatchObject({ path: 'main.js' });
  expect(await oka.memory.getFact(fact.id)).not.toHaveProperty('stale');
  writeFileSync(file, 'stop();\n');
  expect(await oka.memory.getFact(fact.id)).toMatchObject({ stale: true });
  for (const missing of ['nowhere.js', '../outside.js'])
    await expect(oka.memory.addFact({ text: 'x', file: missing, by: 'me' })).rejects.toMatchObject({
      code: 'memory.invalid',
    });
});

test('metrics report the junk rate of facts, and say that there is too little data for a lift', async () => {
  const { oka } = await open();
  for (const text of ['The office is in Bern', 'The office is in Zurich', 'The shed is open'])
    await oka.memory.addFact({ text, by: 'me' });
  const { fact } = await oka.memory.addFact({ text: 'The pond is deep', by: 'me' });
  await oka.memory.deleteFact(fact.id, 'me');
  const { memory } = await oka.metrics.figures({});
  expect(memory).toMatchObject({
    junk: { rate: 1, n: 4, superseded: 1, unused: 2, rejected: 1 },
    lift: { points: null },
  });
});
