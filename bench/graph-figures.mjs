// The figures of graphs: what walking a compiled graph costs beside the bare engine, the raw limits and the peers.

import { once, peer, resumeCopies, SPEED_UP, served } from './measuring.mjs';
import { median } from './report.mjs';
import { startPostgres } from './start-postgres.mjs';
import { quickest } from './subjects/workload.mjs';

const PEERS = {
  langgraph: 'LangGraph.js + SQLite',
  mastra: 'Mastra + libsql',
  dbos: 'DBOS + Postgres, synchronous_commit off',
  restate: 'Restate',
};
const DBOS_RESUMES = 3;

/** A measurement of DBOS, with a Postgres of its own. */
const dbos = (context, measure) =>
  served(context, (folder) => startPostgres(folder, { synchronous_commit: 'off' }), measure);

/**
 * A group whose first line holds ours against a baseline of our own, and the others hold it against each peer. These two
 * stand late among the subjects: wherever one of the first three rounds begins, they are measured one after the other.
 */
function withPeers(name, { subjects, prepare, unit, of, own, ratio, targets = {} }) {
  const line = (figure, baseline, subject, rest) => ({
    figure,
    unit,
    baseline,
    ours: ({ oka }) => oka[of],
    value: (sample) => sample[subject][of],
    ...rest,
  });
  const { baseline, subject, ...rest } = own;
  return {
    name,
    needsPeers: true,
    prepare,
    subjects,
    lines: [
      line(name, baseline, subject, rest),
      ...Object.entries(PEERS).map(([peerName, peerBaseline]) =>
        line(`${name}.${peerName}`, peerBaseline, peerName, { ratio, target: targets[peerName] }),
      ),
    ],
  };
}

const AS_THE_ENGINE = { langgraph: { atLeast: 15 }, restate: { atLeast: 15 } };

const loop = withPeers('graph.loop', {
  subjects: (context) => ({
    langgraph: peer(context, 'langgraph', 'step'),
    mastra: peer(context, 'mastra', 'loop'),
    dbos: dbos(context, (url) => context.run('dbos', 'loop', url)),
    oka: once(context, 'oka-graph', 'loop'),
    restate: peer(context, 'restate', 'step'),
  }),
  unit: 'µs/step',
  of: 'stepUs',
  own: {
    baseline: "the bare engine's step",
    value: ({ oka }) => oka.bareUs,
    target: { atMost: 1.3 },
    also: (samples) => ({ tightRoundUs: rounded(samples.map(({ oka }) => oka.tightUs)) }),
  },
  ratio: SPEED_UP,
  targets: AS_THE_ENGINE,
});

const chain = withPeers('graph.chain', {
  subjects: (context) => ({
    langgraph: peer(context, 'langgraph', 'chain'),
    mastra: peer(context, 'mastra', 'chain'),
    dbos: dbos(context, (url) => context.run('dbos', 'chain', url)),
    oka: once(context, 'oka-graph', 'chain'),
    restate: peer(context, 'restate', 'chain'),
  }),
  unit: 'µs/step',
  of: 'stepUs',
  own: { baseline: "the bare engine's step", value: ({ oka }) => oka.bareUs, target: { atMost: 1.3 } },
  ratio: SPEED_UP,
  targets: AS_THE_ENGINE,
});

const concurrent = withPeers('graph.concurrent', {
  subjects: (context) => ({
    langgraph: peer(context, 'langgraph', 'concurrent'),
    mastra: peer(context, 'mastra', 'concurrent'),
    dbos: dbos(context, (url) => context.run('dbos', 'concurrent', url)),
    oka: once(context, 'oka-graph', 'concurrent'),
    engine: once(context, 'oka', 'concurrent'),
    restate: peer(context, 'restate', 'concurrent'),
  }),
  unit: 'steps/s',
  of: 'stepsPerSecond',
  own: { baseline: 'the bare engine', subject: 'engine' },
  targets: { langgraph: { atLeast: 20 }, restate: { atLeast: 10 } },
});

const resume = withPeers('graph.resume', {
  async prepare(context) {
    const oka = context.newFolder();
    await context.run('oka-graph', 'crash', oka);
    const killedPeers = new Map();
    return {
      oka,
      /** The folder of a peer that was killed; made once, when it is first asked for. */
      async peer(subject, ...rest) {
        if (!killedPeers.has(subject)) {
          const folder = context.newFolder();
          await context.run(subject, 'crash', folder, ...rest);
          killedPeers.set(subject, folder);
        }
        return killedPeers.get(subject);
      },
    };
  },
  subjects: (context, killed) => ({
    langgraph: {
      measure: async () =>
        resumeCopies(context, 'langgraph', await killed.peer('langgraph', 'chain'), 'chain'),
      peer: true,
    },
    mastra: {
      measure: async () => resumeCopies(context, 'mastra', await killed.peer('mastra')),
      peer: true,
    },
    dbos: dbos(context, (url) => resumeDbos(context, url)),
    oka: { measure: () => resumeCopies(context, 'oka-graph', killed.oka) },
    raw: { measure: () => resumeCopies(context, 'raw', killed.oka) },
    restate: peer(context, 'restate', 'resume'),
  }),
  unit: 'ms',
  of: 'resumeMs',
  own: { baseline: 'reading the same rows raw', subject: 'raw', target: { atMost: 3 } },
  ratio: SPEED_UP,
});

/** Each resume has a database of its own with a workflow that was killed. */
async function resumeDbos(context, url) {
  const times = [];
  for (let i = 0; i < DBOS_RESUMES; i++) {
    const database = `killed_${i}`;
    await context.run('dbos', 'crash', url, database);
    times.push((await context.run('dbos', 'resume', url, database)).resumeMs);
  }
  return { resumeMs: quickest(times) };
}

const compile = {
  name: 'graph.compile',
  subjects: (context) => ({ oka: once(context, 'oka-graph', 'compile') }),
  lines: [
    {
      figure: 'graph.compile',
      unit: 'ms',
      ours: ({ oka }) => oka.compileMs,
      target: { atMost: 1_000 },
      also: (samples) => ({
        warmMs: rounded(samples.map(({ oka }) => oka.warmMs)),
        pinMs: rounded(samples.map(({ oka }) => oka.pinMs)),
      }),
    },
  ],
};

const map = {
  name: 'graph.map',
  subjects: (context) => ({ oka: once(context, 'oka-graph', 'map') }),
  lines: [
    {
      figure: 'graph.map',
      unit: 'ms',
      baseline: 'a map of 5,000 items',
      ours: ({ oka }) => oka.wholeMs,
      value: ({ oka }) => oka.halfMs,
      target: { atMost: 2.2 },
    },
  ],
};

const rounded = (values) => Number(median(values).toPrecision(4));

export const GRAPH_GROUPS = [loop, chain, concurrent, resume, compile, map];
