// What Oka does on PostgreSQL and Restate, beside a raw INSERT and beside workflows of the same shape on Restate and DBOS. Every
// measurement has servers of its own.

import { once } from './measuring.mjs';
import { median } from './report.mjs';
import { startPostgres } from './start-postgres.mjs';
import { startRestate } from './start-restate.mjs';

const rounded = (values) => Number(median(values).toPrecision(4));

/** Starts servers, each in an empty folder, measures, and stops them. */
async function withServers(context, starts, measure) {
  const running = [];
  try {
    for (const start of starts) running.push(await start(context.newFolder()));
    return await measure(...running);
  } finally {
    for (const { stop } of running.reverse()) await stop();
  }
}

const commit = {
  name: 'scale.commit',
  needsServers: true,
  async prepare(context) {
    const workspace = context.newFolder();
    await context.run('oka', 'finished', workspace, 'steps');
    return workspace;
  },
  subjects: (context, finished) => ({
    oka: {
      measure: () =>
        withServers(context, [startPostgres], ({ url }) =>
          once(context, 'postgres-commit', 'steps', `${url}/postgres`, finished).measure(),
        ),
    },
  }),
  lines: [
    {
      figure: 'scale.commit',
      unit: 'µs/commit',
      baseline: 'one raw INSERT of the same row, synchronous_commit on for both',
      ours: ({ oka }) => oka.commitUs,
      value: ({ oka }) => oka.rawUs,
      target: { atMost: 2 },
    },
  ],
};

/** Oka with some workers. */
const cluster = (context, workers) => ({
  measure: () =>
    withServers(context, [startPostgres, startRestate], (postgres, restate) => {
      const servers = {
        ...{ ingress: restate.ingress, admin: restate.admin, restateData: restate.data },
        ...{ restatePid: restate.pid, postgresPid: postgres.pid, postgres: `${postgres.url}/postgres` },
        ...{ workers, ...(context.options.quick ? { goes: 1 } : {}) },
      };
      return once(context, 'oka-cluster', 'runs', JSON.stringify(servers)).measure();
    }),
});

const runs = {
  name: 'scale',
  needsPeers: true,
  needsServers: true,
  subjects: (context) => ({
    restate: {
      peer: true,
      measure: () =>
        withServers(context, [startRestate], ({ ingress, admin }) =>
          context.run('restate', 'cluster', ingress, admin),
        ),
    },
    oka: cluster(context, 1),
    dbos: {
      peer: true,
      measure: () =>
        withServers(context, [startPostgres], ({ url }) => context.run('dbos', 'concurrent', url)),
    },
    three: cluster(context, 3),
  }),
  lines: [
    runsLine('scale.restate', 'Restate, one worker', 'restate', {
      target: { atLeast: 1 },
      also: (samples) => sizes(samples.map(({ oka }) => oka)),
    }),
    runsLine('scale.dbos', 'DBOS + Postgres, synchronous_commit on', 'dbos', { target: { atLeast: 1 } }),
    {
      figure: 'scale.workers',
      unit: 'steps/s',
      baseline: 'one worker',
      ours: ({ three }) => three.stepsPerSecond,
      value: ({ oka }) => oka.stepsPerSecond,
      target: { atLeast: 1 },
      also: (samples) => sizes(samples.map(({ three }) => three)),
    },
  ],
};

function runsLine(figure, baseline, subject, rest) {
  return {
    figure,
    unit: 'steps/s',
    baseline,
    ours: ({ oka }) => oka.stepsPerSecond,
    value: (sample) => sample[subject].stepsPerSecond,
    ...rest,
  };
}

/** What docs/sizing.md shows. */
function sizes(samples) {
  const of = (field) => rounded(samples.map((sample) => sample[field]));
  return {
    ...{ workerIdleMb: of('workerIdleMb'), workerPeakMb: of('workerPeakMb') },
    ...{ restatePeakMb: of('restatePeakMb'), restateMb: of('restateMb') },
    ...{ bytesPerRun: of('bytesPerRun'), connectionsPerWorker: of('connectionsPerWorker') },
    cpuMsPerRun: Object.fromEntries(
      Object.keys(samples[0].cpuMsPerRun).map((name) => [
        name,
        rounded(samples.map(({ cpuMsPerRun }) => cpuMsPerRun[name])),
      ]),
    ),
  };
}

export const SCALE_GROUPS = [commit, runs];
