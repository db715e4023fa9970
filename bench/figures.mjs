// What is measured and what it is held against. A group prepares once, measures each of its subjects once a round,
// and has the lines that are made of these samples.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHAT_GROUPS } from './chat-figures.mjs';
import { CONTEXT_GROUPS } from './context-figures.mjs';
import { DRAFT_GROUPS } from './drafts-figures.mjs';
import { GRAPH_GROUPS } from './graph-figures.mjs';
import { HTTP_GROUPS } from './http-figures.mjs';
import { once, peer, resumeCopies, SPEED_UP } from './measuring.mjs';
import { MEMORY_GROUPS } from './memory-figures.mjs';
import { median } from './report.mjs';
import { SCALE_GROUPS } from './scale-figures.mjs';

const LENGTHS = [100, 1_000, 10_000];
const STARTS = 15;
const LISTED_RUNS = 100;

const step = {
  name: 'step',
  needsPeers: true,
  prepare: finished('steps'),
  subjects: (context, workspace) => ({
    oka: once(context, 'oka', 'step', workspace),
    raw: once(context, 'raw', 'step', workspace),
    langgraph: peer(context, 'langgraph', 'step'),
    restate: peer(context, 'restate', 'step'),
    xstate: peer(context, 'xstate', 'step'),
  }),
  lines: [
    stepLine('step.raw', 'raw transaction with the same row and mirror line', 'raw', {
      ours: ({ oka }) => oka.innerUs,
      value: ({ oka }) => oka.rawUs,
      target: { atMost: 2 },
    }),
    stepLine('step.langgraph', 'LangGraph.js + SQLite', 'langgraph', {
      ratio: SPEED_UP,
      target: { atLeast: 15 },
    }),
    stepLine('step.restate', 'Restate', 'restate', { ratio: SPEED_UP, target: { atLeast: 15 } }),
    stepLine('step.xstate', 'XState + SQLite', 'xstate', { ratio: SPEED_UP }),
    {
      figure: 'step.cold',
      unit: 'µs/step',
      baseline: 'the same raw transactions, first run of their process',
      ours: ({ oka }) => oka.coldUs,
      value: ({ raw }) => raw.coldUs,
    },
  ],
};

function stepLine(figure, baseline, subject, rest) {
  return {
    figure,
    unit: 'µs/step',
    baseline,
    ours: ({ oka }) => oka.stepUs,
    value: (sample) => sample[subject].stepUs,
    ...rest,
  };
}

const effect = {
  name: 'effect',
  prepare: finished('effects'),
  subjects: (context, workspace) => ({ oka: once(context, 'oka', 'effect', workspace) }),
  lines: [
    {
      figure: 'effect.raw',
      unit: 'µs/effect',
      baseline: 'one raw synced commit of such a row',
      ours: ({ oka }) => oka.effectUs,
      value: ({ oka }) => oka.commitUs,
      target: { atMost: 4 },
    },
  ],
};

const flat = {
  name: 'flat',
  subjects: (context) => Object.fromEntries(LENGTHS.map((n) => [n, once(context, 'oka', 'flat', n)])),
  lines: [flatLine('flat.time', 'µs/step', 'stepUs'), flatLine('flat.bytes', 'bytes/step', 'stepBytes')],
};

function flatLine(figure, unit, value) {
  const all = (sample) => LENGTHS.map((n) => sample[n][value]);
  return {
    figure,
    unit,
    baseline: 'the cheapest length of 100, 1,000 and 10,000 steps, against the dearest',
    ours: (sample) => Math.max(...all(sample)),
    value: (sample) => Math.min(...all(sample)),
    target: { atMost: 1.2 },
    also: (samples) => ({
      lengths: Object.fromEntries(
        LENGTHS.map((n) => [n, Number(median(samples.map((sample) => sample[n][value])).toPrecision(4))]),
      ),
    }),
  };
}

const growing = {
  name: 'growing',
  needsPeers: true,
  subjects: (context) => ({
    oka: once(context, 'oka', 'growing'),
    langgraph: peer(context, 'langgraph', 'growing'),
  }),
  lines: [
    { figure: 'growing.bytes', unit: 'bytes', ours: ({ oka }) => oka.bytes, target: { atMost: 2_000_000 } },
    {
      figure: 'growing.langgraph',
      unit: 'bytes',
      baseline: 'LangGraph.js + SQLite',
      ours: ({ oka }) => oka.bytes,
      value: ({ langgraph }) => langgraph.bytes,
      ratio: SPEED_UP,
    },
  ],
};

const concurrent = {
  name: 'concurrent',
  needsPeers: true,
  subjects: (context) => ({
    oka: once(context, 'oka', 'concurrent'),
    langgraph: peer(context, 'langgraph', 'concurrent'),
    restate: peer(context, 'restate', 'concurrent'),
  }),
  lines: [
    concurrentLine('concurrent.langgraph', 'LangGraph.js + SQLite', 'langgraph', 20),
    concurrentLine('concurrent.restate', 'Restate', 'restate', 7.5),
    {
      figure: 'concurrent.memory',
      unit: 'MB',
      ours: ({ oka }) => oka.memoryMb,
      target: { atMost: 150 },
      also: (samples) => ({
        afterTwiceMore: Math.round(median(samples.map(({ oka }) => oka.laterMemoryMb))),
      }),
    },
  ],
};

function concurrentLine(figure, baseline, subject, atLeast) {
  return {
    figure,
    unit: 'steps/s',
    baseline,
    ours: ({ oka }) => oka.stepsPerSecond,
    value: (sample) => sample[subject].stepsPerSecond,
    target: { atLeast },
  };
}

const resume = {
  name: 'resume',
  needsPeers: true,
  async prepare(context) {
    const oka = context.newFolder();
    await context.run('oka', 'crash', oka);
    let langgraph;
    return {
      oka,
      async langgraph() {
        if (langgraph === undefined) {
          langgraph = context.newFolder();
          await context.run('langgraph', 'crash', langgraph);
        }
        return langgraph;
      },
    };
  },
  subjects: (context, killed) => ({
    oka: { measure: () => resumeCopies(context, 'oka', killed.oka) },
    raw: { measure: () => resumeCopies(context, 'raw', killed.oka) },
    langgraph: {
      measure: async () => resumeCopies(context, 'langgraph', await killed.langgraph()),
      peer: true,
    },
    restate: peer(context, 'restate', 'resume'),
  }),
  lines: [
    resumeLine('resume.raw', 'reading the same rows raw', 'raw', { target: { atMost: 3 } }),
    resumeLine('resume.langgraph', 'LangGraph.js + SQLite', 'langgraph', { ratio: SPEED_UP }),
    resumeLine('resume.restate', 'Restate', 'restate', { ratio: SPEED_UP }),
  ],
};

function resumeLine(figure, baseline, subject, rest) {
  return {
    figure,
    unit: 'ms',
    baseline,
    ours: ({ oka }) => oka.resumeMs,
    value: (sample) => sample[subject].resumeMs,
    ...rest,
  };
}

const start = {
  name: 'start',
  async prepare(context) {
    const workspace = context.newFolder();
    await context.run('oka', 'many', workspace, LISTED_RUNS);
    const root = new URL('../', import.meta.url);
    const { bin } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    return [workspace, context.options.quick ? 5 : STARTS, fileURLToPath(new URL(bin.oka, root))];
  },
  subjects: (context, args) => ({
    oka: { measure: () => context.run('start', 'start', ...args) },
    first: { measure: () => context.run('start', 'first', ...args) },
  }),
  lines: [
    startLine('start.version', 'versionMs', 1.5),
    startLine('start.list', 'listMs', 3),
    // 150 ms after the 40 ms that Node itself takes.
    {
      figure: 'start.first',
      unit: 'ms',
      baseline: 'the first output of node',
      ours: ({ first }) => first.firstMs,
      value: ({ first }) => first.nodeMs,
      target: { atMost: 4.75 },
    },
  ],
};

function startLine(figure, value, atMost) {
  return {
    figure,
    unit: 'ms',
    baseline: 'node -e 0',
    ours: ({ oka }) => oka[value],
    value: ({ oka }) => oka.nodeMs,
    target: { atMost },
  };
}

/** Leaves a finished run in a workspace, once, and answers with the workspace. */
function finished(kind) {
  return async (context) => {
    const workspace = context.newFolder();
    await context.run('oka', 'finished', workspace, kind);
    return workspace;
  };
}

export const GROUPS = [
  step,
  effect,
  flat,
  growing,
  concurrent,
  resume,
  ...GRAPH_GROUPS,
  ...CONTEXT_GROUPS,
  ...MEMORY_GROUPS,
  ...CHAT_GROUPS,
  ...HTTP_GROUPS,
  ...DRAFT_GROUPS,
  ...SCALE_GROUPS,
  start,
];
