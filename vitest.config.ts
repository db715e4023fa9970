import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { exportVerifier } from './scripts/export-verifier.mjs';
import { findPostgres } from './test/support/postgres.ts';
import { missingRestate } from './test/support/restate.ts';

const scale = process.env['OKA_SCALE'] === '1';
const exhaustive = process.env['OKA_EXHAUSTIVE'] === '1';
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** Each test file belongs to one suite, by its name: `*.scale` needs servers, `*.exhaustive`, `*.walk` and `*.slow` take long. */
const testsIn = (folder: string): string[] =>
  scale
    ? [`${folder}/**/*.scale.test.ts`]
    : exhaustive
      ? [`${folder}/**/*.{exhaustive,walk,slow}.test.ts`]
      : [`${folder}/**/*.test.ts`, `!${folder}/**/*.{exhaustive,walk,slow,scale}.test.ts`];

/** A test that waits longer than this hangs. Walks and campaigns work longer than that without waiting. */
const MAX_TEST_MS = scale || exhaustive ? 600_000 : 60_000;

/** End-to-end tests of graphs, approvals, waits, schedules and conversations, which also run on the servers of a team. */
const ON_RESTATE = [
  'test/cli/{agent,approvals,chat,graphs*,schedules,simulations,steer-runs,unknown-effects}.test.ts',
];
const ON_POSTGRES = [
  ...ON_RESTATE,
  'test/{conversations*,daemon-workers,file-sets,graph-*,reminders,schedule-runtime}.test.ts',
  'test/chat/*.test.ts',
  'test/http/{daemon,events,client}.test.ts',
];

/** Existing tests, with their ledger and their runs elsewhere. Says which cannot run. */
const withServers = (
  name: string,
  order: number,
  include: readonly string[],
  missing: string | undefined,
) => {
  if (missing !== undefined) process.stderr.write(`Skipped the tests of ${name}: ${missing}.\n`);
  const test = {
    name,
    include: [...include],
    exclude: ['**/*.{exhaustive,walk,slow}.test.ts'],
    globalSetup: ['./test/global-setup.ts', './test/support/scale-servers.ts'],
    setupFiles: ['./test/support/use-scale-servers.ts'],
    env: { OKA_TEST_SERVERS: '1' },
    sequence: { groupOrder: order },
  };
  return missing === undefined ? [{ extends: true as const, test }] : [];
};

const onServers = () => {
  const missing = findPostgres() === undefined ? 'there is no initdb and postgres' : undefined;
  return [
    ...withServers('on-postgres', 2, ON_POSTGRES, missing),
    ...withServers('on-restate', 3, ON_RESTATE, missing ?? missingRestate()),
  ];
};

export default defineConfig({
  define: {
    __OKA_VERSION__: JSON.stringify(version),
    __OKA_BUILD__: JSON.stringify('source'),
    __OKA_EXPORT_VERIFIER__: JSON.stringify(
      await exportVerifier(fileURLToPath(new URL('.', import.meta.url))),
    ),
  },
  test: {
    projects: [
      { extends: true, test: { name: 'src', include: [...testsIn('src'), ...testsIn('web/src')] } },
      {
        extends: true,
        test: {
          name: 'test',
          include: testsIn('test'),
          globalSetup: './test/global-setup.ts',
          // A worker serves one project only: where files of both are mixed, it would be started anew at each change.
          sequence: { groupOrder: 1 },
        },
      },
      ...(scale ? onServers() : []),
    ],
    setupFiles: ['./test/support/run-seed.ts'],
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
    pool: 'forks',
    // No file leaves anything behind that another could see, so they share what they import.
    isolate: false,
    // Servers of tests are installed once, and share the machine with nothing else.
    maxWorkers: scale ? 1 : 3,
    sequence: { shuffle: { files: true, tests: true } },
    testTimeout: MAX_TEST_MS,
    hookTimeout: MAX_TEST_MS,
  },
});
