// What a draft costs a program beside the plain sandbox.

import { once } from './measuring.mjs';

const PROGRAMS = ['true', 'git', 'tests'];
/** Twice as long is not noticed with a small command. Of a build every file is also read, listed and synced: three more passes. */
const MAX_RATIO = 2;
const MAX_BUILD_RATIO = 4;

const line = (name, target) => ({
  figure: `drafts.${name}`,
  unit: 'ms',
  baseline: 'the same program in the plain sandbox',
  ours: ({ oka }) => oka[name].draftMs,
  value: ({ oka }) => oka[name].plainMs,
  target,
});

export const DRAFT_GROUPS = [
  {
    name: 'drafts',
    subjects: (context) => ({
      oka: once(
        context,
        'drafts',
        'programs',
        context.options.quick ? 5 : 15,
        context.options.quick ? 2_000 : 20_000,
      ),
    }),
    lines: [
      ...PROGRAMS.map((name) => line(name, { atMost: MAX_RATIO })),
      line('build', { atMost: MAX_BUILD_RATIO }),
    ],
  },
];
