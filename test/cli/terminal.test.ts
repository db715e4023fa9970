import { expect, test } from 'vitest';
import type { RunListItem } from '../../src/api/index.ts';
import { Gate } from './gate.ts';
import { BRIEF, Workspace } from './oka-process.ts';
import { parkBeforeWriting } from './park-runs.ts';
import { noTerminal, Terminal } from './terminal.ts';

const QUESTION = /◆ {2}files\.write needs "content"/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
const COLOUR = /\u001b\[3[0-9]m/;

async function onlyRun(workspace: Workspace): Promise<RunListItem> {
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(data.runs).toHaveLength(1);
  return data.runs[0] as RunListItem;
}

test('a question prompts on the terminal in colour, and the run continues with the answer', async ({
  skip,
}) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, ['do', 'write notes.txt']);
  await terminal.shows(QUESTION);
  terminal.type('four beds, three paths');
  terminal.press('Enter');
  expect(await terminal.exitCode()).toBe(0);
  const shown = await terminal.shows(/done in/);
  expect(shown).toMatch(COLOUR);
  expect(workspace.text('notes.txt')).toBe('four beds, three paths');
  await workspace.verified();
});

test('a bare Enter is an empty answer', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, ['do', 'write notes.txt']);
  await terminal.shows(QUESTION);
  terminal.press('Enter');
  expect(await terminal.exitCode()).toBe(0);
  expect(workspace.text('notes.txt')).toBe('');
});

test('prompts go to the terminal, and the answer goes to the redirected stdout', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, ['do', 'write notes.txt', '--quiet'], { then: '> answer.txt' });
  await terminal.shows(QUESTION);
  terminal.type('x');
  terminal.press('Enter');
  expect(await terminal.exitCode()).toBe(0);
  expect(workspace.text('answer.txt')).toMatch(/^bytes +1\n/);
  expect(workspace.text('answer.txt')).not.toContain('\u001b');
});

test('NO_COLOR disables colours on a terminal', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, ['do', BRIEF], { env: { NO_COLOR: '1' } });
  expect(await terminal.exitCode()).toBe(0);
  const shown = await terminal.shows(/✓ done in/);
  expect(shown).not.toMatch(COLOUR);
});

test.for(['--no-input', '--json'])('%s disables prompts', async (option, { skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, ['do', 'write notes.txt', option]);
  expect(await terminal.exitCode()).toBe(4);
  expect(await onlyRun(workspace)).toMatchObject({ status: 'waiting' });
});

test('Ctrl-C at a prompt leaves the run waiting', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, ['do', 'write notes.txt']);
  await terminal.shows(QUESTION);
  terminal.press('C-c');
  expect(await terminal.exitCode()).toBe(4);
  expect(await onlyRun(workspace)).toMatchObject({ status: 'waiting' });
});

test('Ctrl-C during work pauses the run, which can be resumed', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const gate = new Gate();
  const workspace = Workspace.trusted({ config: { hooks: [gate.hook('before_node')] } });
  const terminal = new Terminal(workspace, ['do', BRIEF]);
  await gate.reached();
  terminal.press('C-c');
  await terminal.shows(/\^C/);
  await gate.open();
  expect(await terminal.exitCode()).toBe(130);
  const run = await onlyRun(workspace);
  expect(run.status).toBe('paused');
  expect(await workspace.answer('runs', 'resume', run.id)).toMatchObject({ exitCode: 0 });
});

test('an approval prompts with what it would change', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const { run } = await parkBeforeWriting(workspace, 'write "four beds" to beds.txt');
  const later = new Terminal(workspace, ['runs', 'resume', run, '--quiet']);
  await later.shows(/Write a file\?[\s\S]*\+four beds[\s\S]*\(Enter: no\)/);
  later.press('C-c');
  expect(await later.exitCode()).toBe(4);
  expect(workspace.has('beds.txt')).toBe(false);

  const now = new Terminal(workspace, ['runs', 'resume', run]);
  await now.shows(/\(Enter: no\)/);
  now.type('y');
  expect(await now.exitCode()).toBe(0);
  expect(workspace.text('beds.txt')).toBe('four beds');
});

test('init prompts for trust', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = new Workspace();
  const refusing = new Terminal(workspace, ['init']);
  await refusing.shows(/Trust the files in/);
  refusing.type('n');
  expect(await refusing.exitCode()).toBe(0);
  await refusing.shows(/Not trusted yet/);
  expect(await workspace.refusal('do', BRIEF)).toMatchObject({ exitCode: 4 });

  const trusting = new Terminal(workspace, ['init']);
  await trusting.shows(/Trust the files in/);
  trusting.type('y');
  await trusting.shows(/Which model should agents use\?[\s\S]*● Skip/);
  trusting.press('Enter');
  expect(await trusting.exitCode()).toBe(0);
  expect(await workspace.answer('do', BRIEF)).toMatchObject({ exitCode: 0 });
});
