// The figures of the context tree: what a scan costs beside the work that cannot be left out.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = 50_000;
const QUICK_FILES = 5_000;
const FILES_IN_A_FOLDER = 6;
const FOLDERS_IN_A_FOLDER = 90;
/** A scan is the first one of a process only once, so it is measured in so many processes. */
const PROCESSES = 7;

/** Writes the same tree each time: files of 2 to 8.5 KB, six to a folder, ninety folders to a folder. */
function writeTree(folder, files) {
  for (let i = 0; i < files; i++) {
    const number = Math.floor(i / FILES_IN_A_FOLDER);
    const place = join(
      folder,
      `area-${Math.floor(number / FOLDERS_IN_A_FOLDER)}`,
      `part-${number % FOLDERS_IN_A_FOLDER}`,
    );
    if (i % FILES_IN_A_FOLDER === 0) mkdirSync(place, { recursive: true });
    const line = `${i} `.repeat(40);
    writeFileSync(join(place, `file-${i}.txt`), line.repeat(20).slice(0, 2_000 + ((i * 7_919) % 6_500)));
  }
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n*.log\n/build\n!keep.log\n**/cache/**\n');
}

/** The least time that each took, and the most memory. */
function quickestOf(first, next) {
  const best = (name) => (name === 'peakMb' ? Math.max : Math.min)(first[name], next[name]);
  return Object.fromEntries(Object.keys(first).map((name) => [name, best(name)]));
}

const line = (figure, of, baseline, value, target) => ({
  figure,
  unit: 'ms',
  baseline,
  ours: ({ oka }) => oka[of],
  value: ({ bare }) => value(bare),
  target,
});

export const CONTEXT_GROUPS = [
  {
    name: 'context',
    prepare: async (context) => {
      const folder = context.newFolder();
      writeTree(folder, context.options.quick ? QUICK_FILES : FILES);
      return folder;
    },
    turns: PROCESSES,
    join: quickestOf,
    subjects: (context, folder) => ({
      oka: { measure: () => context.run('context', 'scan', folder, context.newFolder()) },
      bare: {
        measure: async () => {
          const own = context.newFolder();
          const parts = await context.run('context', 'bare', folder, own);
          const { insertMs } = await context.run('context', 'inserts', folder, own);
          return { ...parts, coldMs: parts.hashMs + parts.ignoreMs + insertMs };
        },
      },
    }),
    lines: [
      line(
        'context.cold',
        'coldMs',
        'a hash walk with two threads, ignore matching and inserts of the same rows',
        ({ coldMs }) => coldMs,
        { atMost: 1.2 },
      ),
      line('context.unchanged', 'unchangedMs', 'a walk that looks at everything', ({ statMs }) => statMs, {
        atMost: 1.3,
      }),
      line('context.changed', 'changedMs', 'a walk that looks at everything', ({ statMs }) => statMs, {
        atMost: 1.4,
      }),
      {
        figure: 'context.edit',
        unit: 'ms',
        baseline: 'the least that an edit may take, its event and blob on disk',
        ours: ({ oka }) => oka.editMs,
        value: () => 20,
        target: { atMost: 1 },
      },
      {
        figure: 'context.memory',
        unit: 'MB',
        baseline: 'the memory that a scan may take',
        ours: ({ oka }) => oka.peakMb,
        value: () => 250,
        target: { atMost: 1 },
      },
    ],
  },
];
