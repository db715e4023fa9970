import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileGraph } from './compile-graph.ts';
import { DIAGNOSTIC_CODES } from './diagnostic-codes.ts';
import { NODE_TYPE_NAMES } from './node-types.ts';
import { OPERATORS } from './types.ts';

const page = readFileSync(new URL('../../docs/formats/graph.md', import.meta.url), 'utf8');

it('documents each code with its message, each node type and each operator on the format page', () => {
  for (const [code, sentence] of Object.entries(DIAGNOSTIC_CODES))
    expect(page).toContain(`| \`${code}\` | ${sentence} |`);
  for (const name of [...NODE_TYPE_NAMES, ...OPERATORS]) expect(page).toContain(`\`${name}\``);
});

it('shows a graph that compiles', () => {
  const example = /```json\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
  const tool = {
    name: 'files.read',
    idempotent: true,
    readOnly: true,
    inputSchema: () => ({ type: 'object' }),
  };
  const tools = { find: () => tool, names: () => [tool.name] };
  expect(compileGraph(JSON.parse(example), { tools }).diagnostics).toEqual([]);
});
