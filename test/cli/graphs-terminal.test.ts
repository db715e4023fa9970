import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { defineGraph } from '../support/graph-kit.ts';
import { Gate } from './gate.ts';
import { SMALL_PROJECT, Workspace } from './oka-process.ts';
import { noTerminal, Terminal } from './terminal.ts';

const START = { node_id: 'start', type: 'start', next: 'read' };
const READ = { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: 'README.md' }, next: 'end' };
const END = { node_id: 'end', type: 'end' };

function workspace(nodes: readonly object[], config?: unknown): Workspace {
  return Workspace.trusted({
    files: { ...SMALL_PROJECT, '.oka/graphs/seen.json': JSON.stringify(defineGraph(nodes, { id: 'seen' })) },
    ...(config === undefined ? {} : { config }),
  });
}

const UP = '\u001b[3A';

test('--watch shows the nodes on a terminal and updates them in place', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const gate = new Gate();
  const place = workspace([START, READ, END], { hooks: [gate.hook('before_node')] });
  const terminal = new Terminal(place, ['graph', 'run', 'seen', '--watch']);
  await gate.reached();
  const early = stripVTControlCharacters(await terminal.shows(/○ end/));
  expect(early).toMatch(/● start\s+○ read\s+○ end/);
  await gate.open();
  expect(await terminal.exitCode()).toBe(0);
  const shown = await terminal.shows(/done in/);
  expect(shown).toContain(UP);
  expect(stripVTControlCharacters(shown)).toMatch(/✓ start\s+✓ read\s+✓ end/);
  await place.verified();
});

test('--watch marks the failed node with its failure', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const place = workspace([START, { ...READ, args: { path: 'none.txt' } }, END]);
  const terminal = new Terminal(place, ['graph', 'run', 'seen', '--watch']);
  expect(await terminal.exitCode()).toBe(1);
  expect(stripVTControlCharacters(await terminal.shows(/failed/))).toMatch(/✗ read .*none\.txt[\s\S]*○ end/);
});

test('--watch does not overwrite the answer', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const place = workspace([START, { ...READ, args: { path: 'none.txt' } }, END]);
  const terminal = new Terminal(place, ['graph', 'run', 'seen', '--watch']);
  expect(await terminal.exitCode()).toBe(1);
  const shown = await terminal.shows(/\[exit 1\]/);
  expect(shown.slice(shown.lastIndexOf('✗'))).not.toContain(UP);
});

test('a question of a graph prompts on the terminal, and the graph continues with the answer', async ({
  skip,
}) => {
  if (noTerminal) return skip(noTerminal);
  const ask = {
    node_id: 'read',
    type: 'approval',
    question: 'Which bed?',
    options: ['left', 'right'],
    next: 'end',
  };
  const place = workspace([START, ask, END]);
  const terminal = new Terminal(place, ['graph', 'run', 'seen', '--watch']);
  await terminal.shows(/Which bed\?[\s\S]*\[1\] left/);
  await terminal.decide('2', /\n {4}right/);
  expect(await terminal.exitCode()).toBe(0);
  await terminal.shows(/answer +right/);
  await place.verified();
});

test('--quiet and --json disable live output on a terminal', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const place = workspace([START, READ, END]);
  for (const option of ['--quiet', '--json']) {
    const terminal = new Terminal(place, ['graph', 'run', 'seen', '--watch', option]);
    expect(await terminal.exitCode()).toBe(0);
    expect(await terminal.shows(/\[exit 0\]/)).not.toContain(UP);
  }
});
