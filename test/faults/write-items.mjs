// The writes of the fault campaign, by the built runtime: facts, runs, messages and graph runs. Each write carries a key
// that no other write has, so that a test can tell a missing write from one that was stored twice.

const KINDS = ['fact', 'run', 'message', 'graph run'];
export const ROOM = 'room';

/** Stores one item and returns its acknowledgement. Consecutive numbers give all kinds in turn. */
export async function writeItem(oka, number, key) {
  const kind = KINDS[number % KINDS.length];
  return { kind, key, id: await WRITES[kind](oka, key) };
}

const WRITES = {
  fact: async (oka, key) => (await oka.memory.addFact({ text: `The mark is ${key}.`, by: 'writer' })).fact.id,
  run: async (oka, key) => {
    const goal = `write "${key}" to out/${key}.txt`;
    return completed(await oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0 }));
  },
  message: async (oka, key) =>
    String((await oka.chat.send({ conversation: ROOM, text: `The mark is ${key}.`, by: 'writer' })).id),
  'graph run': async (oka, key) => {
    const request = {
      graph: 'note',
      input: { word: key },
      vars: {},
      simulate: false,
      budgets: {},
      patienceMs: 0,
    };
    return completed(await oka.graphs.run(request));
  },
};

/** The id of a run that ended as it should. */
function completed({ run }) {
  if (run.status !== 'completed') throw new Error(`run ${run.id} is ${run.status}: ${run.failure?.message}`);
  return run.id;
}
