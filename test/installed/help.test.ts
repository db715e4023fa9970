import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../checkout.ts';

const { helpFor } = createRequire(import.meta.url)('../../bin/help.cjs') as {
  helpFor(
    args: readonly string[],
    place: { readonly dist: string; readonly columns?: number },
  ): string | undefined;
};
const dist = join(root, 'dist');

interface Page {
  readonly words: readonly string[];
  readonly text: string;
  readonly rendered?: string;
}

test('the help that the build has rendered is what each command prints', () => {
  const script = join(root, 'test', 'installed', 'scripts', 'print-help.cjs');
  const pages = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })) as readonly Page[];
  expect(pages.length).toBeGreaterThan(100);
  for (const { words, text, rendered } of pages)
    expect({ words, rendered }).toEqual({ words, rendered: text });
});

test('help is found by --help, by -h and by the command help', () => {
  const graph = helpFor(['graph', '--help'], { dist });
  expect(graph).toContain('Usage: oka graph ');
  expect(helpFor(['graph', '-h'], { dist, columns: 200 })).toBe(graph);
  expect(helpFor(['help', 'graph'], { dist, columns: 80 })).toBe(graph);
  expect(helpFor(['help'], { dist })).toBe(helpFor(['--help'], { dist }));
});

test.each([
  { args: ['grap', '--help'] },
  { args: ['help', 'grap'] },
  { args: ['help', 'graph', 'run'] },
  { args: ['graph run', '--help'] },
  { args: ['-C', 'here', 'graph', '--help'] },
  { args: ['constructor', '--help'] },
  { args: ['graph', '--help'], columns: 79 },
])('the program itself answers $args on $columns columns', ({ args, columns }) => {
  expect(helpFor(args, { dist, ...(columns === undefined ? {} : { columns }) })).toBeUndefined();
});
