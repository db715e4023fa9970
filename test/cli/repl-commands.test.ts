import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './oka-process.ts';
import { noTerminal, Terminal } from './terminal.ts';

const READY = /\/help · Ctrl-D to leave/;

function say(terminal: Terminal, text: string): void {
  terminal.type(text);
  terminal.press('Enter');
}

test('a session shows its cost and its diff, undoes its last change, exports itself, and continues with a summary', async ({
  skip,
}) => {
  if (noTerminal) return skip(noTerminal);
  const turns = [
    { when: 'Summarise', text: 'SUMMARY: the beds are noted.' },
    {
      when: 'note',
      once: true,
      text: 'I write it.',
      tool_calls: [{ tool: 'files.write', input: { path: 'notes.md', content: 'four beds\n' } }],
    },
    { text: 'It is noted.' },
  ];
  const workspace = Workspace.trusted({
    files: { 'script.json': JSON.stringify({ turns }), 'notes.md': 'three beds\n' },
    config: { models: { actor: { provider: 'scripted', script: 'script.json' } } },
  });
  const terminal = new Terminal(workspace, []);
  await terminal.sees(READY);
  say(terminal, '/diff');
  await terminal.sees(/Nothing was said in this session yet/);
  say(terminal, 'note the beds');
  await terminal.sees(/wrote notes\.md \+1 −1[\s\S]*It is noted\./);
  say(terminal, '/diff');
  await terminal.sees(/1 file changed {2}\+1 −1\n--- a\/notes\.md[\s\S]*-three beds\n\+four beds/);
  say(terminal, '/cost');
  await terminal.sees(/note the beds +anton +done[\s\S]*total: /);
  say(terminal, '/undo');
  await terminal.sees(/Undid the changes of “note the beds”:\n {2}✓ restored notes\.md/);
  expect(workspace.text('notes.md')).toBe('three beds\n');
  say(terminal, '/undo');
  await terminal.sees(/no file changes to undo/);

  say(terminal, '/export talk.md');
  await terminal.sees(/Wrote 2 messages to talk\.md/);
  expect(workspace.text('talk.md')).toMatch(/^# Session anton-1\n\n## user, .*\n\nnote the beds\n\n## anton/);
  say(terminal, '/export notes.md');
  await terminal.sees(/notes\.md exists\. Replace it\?/);
  terminal.press('Enter');
  await terminal.sees(/Nothing was written/);
  expect(workspace.text('notes.md')).toBe('three beds\n');

  say(terminal, '/compact');
  await terminal.sees(/Session anton-2\n.*It carries a summary of 28 characters\. .*\/resume anton-1/);
  const { data } = await workspace.answer<{ messages: { from: string; content: string }[] }>(
    'chat',
    'view',
    'anton-2',
  );
  expect(data.messages).toMatchObject([{ from: 'anton', content: 'SUMMARY: the beds are noted.' }]);
  say(terminal, '/exit');
  expect(await terminal.exitCode()).toBe(0);
  await workspace.verified();
});

test('without a model, a compacted session keeps the last messages and explains why', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, []);
  await terminal.sees(READY);
  say(terminal, 'check links');
  await terminal.sees(/links in \d+ documents/);
  say(terminal, '/compact');
  await terminal.sees(/It carries the last 2 messages, because a summary needs a model/);
  const { data } = await workspace.answer<{ messages: { from: string }[] }>('chat', 'view', 'anton-2');
  expect(data.messages.map(({ from }) => from)).toEqual(['user', 'anton']);
  say(terminal, '/exit');
  expect(await terminal.exitCode()).toBe(0);
});

test('the first start creates the workspace, greets, and reports no foreign ledger', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = new Workspace();
  const terminal = new Terminal(workspace, []);
  await terminal.sees(/Trust the files in/);
  terminal.type('y');
  await terminal.sees(/Which model should agents use/);
  terminal.press('Enter');
  const shown = await terminal.sees(
    /\(new workspace\)[\s\S]*No model is configured[\s\S]*anton · no model\n›$/,
  );
  expect(shown).not.toContain('not yours');
  expect(existsSync(join(workspace.root, '.oka', 'oka.db'))).toBe(true);
  terminal.press('C-d');
  expect(await terminal.exitCode()).toBe(0);
});
