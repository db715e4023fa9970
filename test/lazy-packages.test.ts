import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkPackages, runNode, smallCheckout } from './checkout.ts';

const PACKAGE = JSON.stringify({ name: 'greeting', main: 'index.js' });

/** Builds a small Oka whose command line imports a package lazily. */
async function build(files: Readonly<Record<string, string>>) {
  const checkout = smallCheckout({ 'src/node_modules/greeting/package.json': PACKAGE, ...files });
  linkPackages(checkout);
  const { exitCode, stderr } = await runNode(checkout, ['scripts/build.mjs']).ended;
  return { exitCode, stderr, built: existsSync(join(checkout, 'dist', 'cli.cjs')) };
}

const taking = (from: string): string =>
  `export const main = async () => { const { greet } = await import('${from}'); return greet(); };`;
const COMMON_JS = 'module.exports = { greet: () => 0 };';

test('the build refuses a lazily imported CommonJS package, whose names the bundle would lose', async () => {
  const { exitCode, stderr, built } = await build({
    'src/cli/main.ts': taking('greeting'),
    'src/node_modules/greeting/index.js': COMMON_JS,
  });
  expect({ exitCode, built }).toEqual({ exitCode: 1, built: false });
  expect(stderr).toContain('src/cli/main.ts takes greet from greeting, which exports only default');
});

test('the build refuses a lazily imported package whose names it cannot see', async () => {
  const { exitCode, stderr } = await build({
    'src/cli/main.ts': "export const main = async () => (await import('greeting')).greet();",
    'src/node_modules/greeting/index.js': COMMON_JS,
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("write it as const { name } = await import('greeting')");
});

test.each([
  ['is an ES module', { 'src/cli/main.ts': taking('greeting') }, 'export const greet = () => 0;'],
  [
    'is named by a module of src',
    { 'src/cli/main.ts': taking('./library.ts'), 'src/cli/library.ts': "export { greet } from 'greeting';" },
    COMMON_JS,
  ],
])('the build accepts a lazily imported package that %s', async (_how, files, code) => {
  expect(await build({ ...files, 'src/node_modules/greeting/index.js': code })).toEqual({
    exitCode: 0,
    stderr: '',
    built: true,
  });
});
