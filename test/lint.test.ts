import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';
import { copyInto, folderWith, linkPackages, root } from './checkout.ts';

/** `rule at line` for everything that eslint, with the project's own configuration, refuses in these files. */
async function refusals(files: Readonly<Record<string, string>>): Promise<Record<string, string[]>> {
  const folder = folderWith(files);
  copyInto(folder, 'tsconfig.json');
  linkPackages(folder);
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: join(root, 'eslint.config.js') });
  const results = await eslint.lintFiles(['src']);
  return Object.fromEntries(
    results.map(({ filePath, messages }) => [
      filePath.slice(folder.length + 1),
      messages.map(({ ruleId, line, message }) => `${ruleId ?? message} at ${line}`),
    ]),
  );
}

const impure = `export const now = (): number => Date.now();
export const today = (): Date => new Date();
export const chance = (): number => Math.random();
export const home = (): string | undefined => process.env['HOME'];
export const epoch = (): Date => new Date(0);
`;

test('refuses promises that nobody waits for and switches that forget a case', async () => {
  const found = await refusals({
    'src/engine/drive.ts': `export async function step(): Promise<void> {}
export function drive(): void {
  step();
}
export const each = (): void => [1].forEach(async () => step());
export const late = async (): Promise<number> => await 1;
export function name(kind: 'read' | 'write'): string {
  switch (kind) {
    case 'read':
      return 'r';
  }
  return '';
}
`,
  });
  expect(found['src/engine/drive.ts']).toEqual([
    '@typescript-eslint/no-floating-promises at 3',
    '@typescript-eslint/no-misused-promises at 5',
    '@typescript-eslint/await-thenable at 6',
    '@typescript-eslint/switch-exhaustiveness-check at 8',
  ]);
});

test('refuses time, chance and environment in a domain, and accepts them behind the ports', async () => {
  const found = await refusals({
    'src/engine/clock.ts': impure,
    'src/adapters/system/clock.ts': impure,
    'src/engine/clock.test.ts': impure,
  });
  expect(found).toEqual({
    'src/engine/clock.ts': [
      'no-restricted-properties at 1',
      'no-restricted-syntax at 2',
      'no-restricted-properties at 3',
      'no-restricted-properties at 4',
    ],
    'src/adapters/system/clock.ts': [],
    'src/engine/clock.test.ts': [],
  });
});
