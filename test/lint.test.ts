import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyInto, folderWith, linkPackages, root } from './checkout.ts';

type Files = Readonly<Record<string, string>>;

/** What a linter, with the project's own configuration, prints as JSON about these files. */
function lint(files: Files, config: readonly string[], command: readonly string[]): unknown {
  const folder = folderWith(files);
  copyInto(folder, 'tsconfig.json', 'package.json', '.gitignore', ...config);
  linkPackages(folder);
  const [name = '', ...args] = command;
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules', name), ...args, 'src'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

/** `rule at line` for each refusal that needs types. */
function refusedByType(files: Files): readonly string[] {
  const command = ['oxlint/bin/oxlint', '--type-aware', '--type-check', '--format', 'json'];
  const { diagnostics } = lint(files, ['.oxlintrc.json'], command) as {
    diagnostics: { code: string; labels: { span: { line: number } }[] }[];
  };
  return diagnostics.map(({ code, labels: [label] }) => `${code} at ${label?.span.line}`).sort();
}

/** The rules of our own. */
const RULES = readdirSync(join(root, 'scripts'))
  .filter((name) => name.endsWith('.grit'))
  .map((name) => join('scripts', name));

/** `file:line message` for each refusal of time, chance and environment. */
function refusedByPorts(files: Files): readonly string[] {
  const command = ['@biomejs/biome/bin/biome', 'lint', '--reporter', 'json'];
  const { diagnostics } = lint(files, ['biome.json', ...RULES], command) as {
    diagnostics: { category: string; location: { path: string; start: { line: number } } }[];
  };
  return diagnostics
    .map(({ category, location: { path, start } }) => `${path}:${start.line} ${category}`)
    .sort();
}

const impure = `import { env } from 'node:process';
export const now = (): number => Date.now();
export const today = (): Date => new Date();
export const chance = (): number => Math.random();
export const home = (): string | undefined => process.env['HOME'];
export const epoch = (): Date => new Date(0);
export const id = (): string => crypto.randomUUID();
export const bytes = (): Uint8Array => crypto.getRandomValues(new Uint8Array(8));
export const text = (): string => Date();
export const user = (): string | undefined => env['USER'];
`;

test('refuses promises that nobody waits for, switches that forget a case and wrong types', () => {
  const refused = refusedByType({
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
export const count: number = 'three';
`,
  });
  expect(refused).toEqual([
    'typescript(TS2322) at 14',
    'typescript(await-thenable) at 6',
    'typescript(no-floating-promises) at 3',
    'typescript(no-misused-promises) at 5',
    'typescript(switch-exhaustiveness-check) at 8',
  ]);
});

test('refuses time, chance and environment in a domain, and accepts them behind the ports', () => {
  const refused = refusedByPorts({
    'src/engine/clock.ts': impure,
    'src/adapters/system/clock.ts': impure,
    'src/config/clock.ts': impure,
    'src/kernel/system-ports.ts': impure,
    'src/cli/main.ts': impure,
    'src/engine/clock.test.ts': impure,
  });
  expect(refused).toEqual([
    'src/engine/clock.ts:1 lint/style/noRestrictedImports',
    'src/engine/clock.ts:2 lint/nursery/noJsRestrictedProperties',
    'src/engine/clock.ts:3 plugin',
    'src/engine/clock.ts:4 lint/nursery/noJsRestrictedProperties',
    'src/engine/clock.ts:5 lint/nursery/noJsRestrictedProperties',
    'src/engine/clock.ts:7 lint/nursery/noJsRestrictedProperties',
    'src/engine/clock.ts:8 lint/nursery/noJsRestrictedProperties',
    'src/engine/clock.ts:9 plugin',
  ]);
});

test('refuses to follow links by their words instead of asking the kernel', () => {
  const follow = "import { realpathSync } from 'node:fs';\nexport const place = realpathSync('a');\n";
  const ask = follow.replace("realpathSync('a')", "realpathSync.native('a')");
  expect(refusedByPorts({ 'src/disk/words.ts': follow, 'src/disk/kernel.ts': ask })).toEqual([
    'src/disk/words.ts:2 plugin',
  ]);
});
