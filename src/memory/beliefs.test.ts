import { describe, expect, it } from 'vitest';
import { memoryKit } from './memory-kit.conformance.ts';

const BERN = 'The office is in Bern';
const ZURICH = 'The office is in Zurich';

async function textsOf({ memory }: ReturnType<typeof memoryKit>): Promise<readonly string[]> {
  return (await memory.facts({ limit: 10 })).map(({ text }) => text).sort();
}

/** A run that got the fact and completed. */
async function useWithSuccess({ events }: ReturnType<typeof memoryKit>, fact: string): Promise<void> {
  const output = { items: [{ kind: 'fact', id: fact, score: 1 }], tokens: 1, cap: 1 };
  const body = [{ source: 'recall', tool: 'context.pack', output }];
  const drafts = [
    { type: 'evidence.recalled', data: { count: 1 }, body },
    { type: 'run.completed', data: {} },
  ];
  await events.commit({ actor: 'me', sync: 'full', appends: [{ stream: 'run/r', events: drafts }] });
}

describe('a fact that contradicts an older one', () => {
  it('supersedes it with a link, and leaves unrelated facts alone', async () => {
    const kit = memoryKit();
    const old = await kit.memory.addFact({ text: BERN }, 'me');
    await kit.memory.addFact({ text: 'The office is large' }, 'me');
    const next = await kit.memory.addFact({ text: ZURICH }, 'me');
    expect(next).toMatchObject({ outcome: 'added', superseded: [old.id] });
    expect(await kit.memory.fact(old.id)).toMatchObject({ text: BERN, supersededBy: next.id });
    expect(await textsOf(kit)).toEqual([ZURICH, 'The office is large'].sort());
  });

  it('is superseded itself if it arrives late', async () => {
    const kit = memoryKit();
    const next = await kit.memory.addFact({ text: ZURICH }, 'me');
    const old = await kit.memory.addFact({ text: BERN, at: kit.clock.now() - 1_000 }, 'me');
    expect(await kit.memory.fact(old.id)).toMatchObject({ supersededBy: next.id });
    expect(await textsOf(kit)).toEqual([ZURICH]);
  });

  it('is detected within one import, but not across namespaces', async () => {
    const kit = memoryKit();
    const facts = [{ text: BERN }, { text: ZURICH }, { text: BERN, namespace: 'other' }];
    const added = await kit.memory.addFacts(facts, 'me');
    expect(added[1]).toMatchObject({ superseded: [added[0]?.id] });
    expect(await textsOf(kit)).toEqual([BERN, ZURICH]);
  });

  it('does not supersede a fact with another key, because both hold', async () => {
    const kit = memoryKit();
    await kit.memory.addFact({ text: BERN, key: 'north' }, 'me');
    await kit.memory.addFact({ text: ZURICH, key: 'south' }, 'me');
    expect(await textsOf(kit)).toEqual([BERN, ZURICH]);
  });
});

describe('an unconfirmed fact', () => {
  it('is a candidate, while a fact added by a person is confirmed at once', async () => {
    const { memory } = memoryKit();
    const learned = await memory.addFact({ text: BERN, candidate: true }, 'maintenance');
    const added = await memory.addFact({ text: 'Ada drinks tea' }, 'me');
    expect(await memory.fact(learned.id)).toMatchObject({ status: 'candidate', by: 'maintenance', uses: 0 });
    expect(await memory.fact(added.id)).toMatchObject({ status: 'confirmed', by: 'me' });
    const { hits } = await memory.findFacts({ query: 'office Bern', limit: 5 });
    expect(hits).toMatchObject([{ text: BERN, candidate: true }]);
  });

  it('becomes confirmed when a person adds the same', async () => {
    const { memory } = memoryKit();
    const { id } = await memory.addFact({ text: BERN, candidate: true, confidence: 0.7 }, 'maintenance');
    expect(await memory.addFact({ text: BERN }, 'me')).toMatchObject({ id, outcome: 'affirmed' });
    expect(await memory.fact(id)).toMatchObject({ status: 'confirmed', confidence: 0.7 });
    expect(await memory.candidates({ limit: 5 })).toEqual([]);
  });

  it('becomes confirmed when a run used it successfully, and stays confirmed without that run', async () => {
    const kit = memoryKit();
    const { id } = await kit.memory.addFact({ text: BERN, candidate: true }, 'maintenance');
    await useWithSuccess(kit, id);
    expect(await kit.memory.fact(id)).toMatchObject({ status: 'confirmed', uses: 1, successes: 1 });
    expect((await kit.memory.findFacts({ query: 'Bern', limit: 5 })).hits[0]).not.toHaveProperty('candidate');
    expect(await kit.memory.confirmProven('maintenance')).toEqual([id]);
    expect(await kit.records.fact(id)).not.toHaveProperty('candidate');
  });

  it('supersedes no confirmed fact until a person confirms it, however often it is used', async () => {
    const kit = memoryKit();
    const { memory } = kit;
    const known = await memory.addFact({ text: BERN }, 'me');
    const { id, superseded } = await memory.addFact({ text: ZURICH, candidate: true }, 'maintenance');
    expect(superseded).toEqual([]);
    await useWithSuccess(kit, id);
    expect(await memory.candidates({ limit: 5 })).toMatchObject([{ id, contradicts: [known.id] }]);
    expect(await memory.confirmFact(id, 'me')).toMatchObject({ id, superseded: [known.id] });
    expect(await textsOf(kit)).toEqual([ZURICH]);
  });

  it('supersedes an older candidate, and changes no weight of a known fact', async () => {
    const kit = memoryKit();
    const first = await kit.memory.addFact({ text: BERN, candidate: true }, 'maintenance');
    const next = await kit.memory.addFact({ text: ZURICH, candidate: true }, 'maintenance');
    expect(next.superseded).toEqual([first.id]);
    const { id } = await kit.memory.addFact({ text: 'Ada drinks tea' }, 'me');
    const again = { text: 'Ada drinks tea', candidate: true, confidence: 0.5, importance: 1 };
    expect(await kit.memory.addFact(again, 'maintenance')).toMatchObject({ id, outcome: 'known' });
  });

  it('is erased when it is rejected', async () => {
    const kit = memoryKit();
    const { id } = await kit.memory.addFact({ text: BERN, candidate: true }, 'maintenance');
    await kit.memory.rejectFact(id, 'me');
    expect(await textsOf(kit)).toEqual([]);
    const { versions, changes } = await kit.memory.history(id);
    expect(versions).toEqual([]);
    expect(changes.map(({ change }) => change)).toEqual(['added', 'rejected']);
  });
});

describe('undoing a belief', () => {
  it('restores what it superseded, with a link back', async () => {
    const kit = memoryKit();
    const old = await kit.memory.addFact({ text: BERN }, 'me');
    const next = await kit.memory.addFact({ text: ZURICH }, 'run:r');
    expect(await kit.memory.undoFact(next.id, 'me')).toEqual({ restored: [old.id], undone: [next.id] });
    expect(await textsOf(kit)).toEqual([BERN]);
    expect(await kit.memory.fact(next.id)).toMatchObject({ text: ZURICH, supersededBy: old.id });
    const { changes } = await kit.memory.history(old.id);
    expect(changes.map(({ change, by }) => `${change} by ${by}`)).toEqual([
      ...['added by me', 'added by run:r', 'superseded by run:r', 'restored by me', 'superseded by me'],
    ]);
  });

  it('can be undone again, by either id', async () => {
    const kit = memoryKit();
    const old = await kit.memory.addFact({ text: BERN }, 'me');
    const next = await kit.memory.addFact({ text: ZURICH }, 'me');
    await kit.memory.undoFact(old.id, 'me');
    expect(await textsOf(kit)).toEqual([BERN]);
    await kit.memory.undoFact(next.id, 'me');
    expect(await textsOf(kit)).toEqual([ZURICH]);
  });

  it('refuses a fact that superseded nothing, and says what to do', async () => {
    const { memory } = memoryKit();
    const { id } = await memory.addFact({ text: BERN }, 'me');
    await expect(memory.undoFact(id, 'me')).rejects.toMatchObject({
      code: 'memory.nothing_to_undo',
      message: expect.stringContaining('oka memory fact delete'),
    });
    await expect(memory.undoFact('nobody', 'me')).rejects.toMatchObject({ code: 'memory.unknown' });
    await expect(memory.history('nobody')).rejects.toMatchObject({ code: 'memory.unknown' });
  });
});
