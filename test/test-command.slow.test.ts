import { expect, test } from 'vitest';
import { copyInto, runNode, smallCheckout } from './checkout.ts';

const passing = "import { test } from 'vitest'; test('passes', () => {});";
const failing = "import { test } from 'vitest'; test('fails', () => { throw new Error('no'); });";
const skipping = "import { test } from 'vitest'; test.skip('waits', () => {});";
const broken = "import './missing.ts';";
const hook =
  "import { beforeAll, describe, test } from 'vitest'; describe('s', () => { beforeAll(() => { throw new Error('no'); }); test('never runs', () => {}); });";
const unhandled =
  "import { test } from 'vitest'; test('leaves a rejection behind', () => { void Promise.reject(new Error('no')); });";
const environment =
  "import { expect, test } from 'vitest'; test('isolated', () => { expect(process.env.OKA_HOME).toMatch(/oka-home-/); expect(process.env.NODE_EXTRA_CA_CERTS).toBeUndefined(); });";
const exhaustive =
  "import { expect, test } from 'vitest'; test('whole', () => expect(process.env.OKA_EXHAUSTIVE).toBe('1'));";

/** Runs `npm test` in a small checkout with these files; answers the exit code and the last line of stdout. */
async function testRun(files: Readonly<Record<string, string>>, ...args: string[]) {
  const checkout = smallCheckout(files);
  copyInto(checkout, 'vitest.config.ts', 'test/global-setup.ts', 'tsconfig.json');
  // The configuration asks which servers can be had.
  copyInto(
    checkout,
    ...['free-port', 'postgres', 'restate', 'run-seed'].map((name) => `test/support/${name}.ts`),
  );
  const environment = { NODE_EXTRA_CA_CERTS: '/dev/null', OKA_HOME: '/dev/null' };
  const { exitCode, stdout } = await runNode(checkout, ['scripts/test.mjs', ...args], environment).ended;
  return { exitCode, lastLine: stdout.split('\n').at(-2), endsWithNewline: stdout.endsWith('\n'), stdout };
}

test('ends with the closing line and exit code 0 when all tests pass, in a random order whose seed is shown', async () => {
  const run = await testRun({ 'src/a.test.ts': passing, 'test/b.test.ts': environment });
  expect(run).toMatchObject({ exitCode: 0, lastLine: '2 passed, 0 failed', endsWithNewline: true });
  expect(run.stdout).toMatch(/Running tests with seed "\d+"/);
});

test('counts what failed in and outside of tests, and skipped tests', async () => {
  const run = await testRun({
    'src/passing.test.ts': passing,
    'src/failing.test.ts': failing,
    'src/skipping.test.ts': skipping,
    'src/broken.test.ts': broken,
    'src/hook.test.ts': hook,
  });
  expect(run).toMatchObject({ exitCode: 1, lastLine: '1 passed, 3 failed' });
  expect(run.stdout).toContain('\n2 skipped\n');
});

test('an unhandled error is a failure', async () => {
  const run = await testRun({ 'src/unhandled.test.ts': unhandled });
  expect(run).toMatchObject({ exitCode: 1, lastLine: '1 passed, 1 failed' });
});

test('a run in which no test ran is a failure', async () => {
  expect(await testRun({})).toMatchObject({ exitCode: 1, lastLine: '0 passed, 0 failed' });
  const skipped = await testRun({ 'src/skipping.test.ts': skipping });
  expect(skipped).toMatchObject({ exitCode: 1, lastLine: '0 passed, 0 failed' });
  expect(skipped.stdout).toContain('\n1 skipped\n');
});

test('passes filters on, and --exhaustive runs the walks alone and whole', async () => {
  const files = { 'src/a.test.ts': failing, 'src/b.test.ts': passing };
  expect(await testRun(files, 'src/b')).toMatchObject({ exitCode: 0, lastLine: '1 passed, 0 failed' });
  const walks = { 'src/kill.walk.test.ts': exhaustive, 'test/laws.exhaustive.test.ts': exhaustive };
  const run = await testRun({ ...files, ...walks }, '--exhaustive');
  expect(run).toMatchObject({ exitCode: 0, lastLine: '2 passed, 0 failed' });
});
