import { expect, test } from 'vitest';
import { Gate } from './gate.ts';
import { Workspace } from './oka-process.ts';
import { noTerminal, Terminal } from './terminal.ts';

const agent = (name: string): string =>
  `---\nname: ${name}\nprovider: scripted\nscript: ${name}.json\n---\nYou are ${name}.\n`;

function say(terminal: Terminal, text: string): void {
  terminal.type(text);
  terminal.press('Enter');
}

test('a joined user sees two agents reply while typing, pauses them, and leaves', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const gate = new Gate();
  const workspace = Workspace.trusted({
    files: {
      '.oka/agents/arya.md': agent('arya'),
      '.oka/agents/gendry.md': agent('gendry'),
      'arya.json': JSON.stringify({
        turns: [{ when: 'begin', text: 'The north bed, @gendry?' }, { text: 'Agreed.' }],
      }),
      'gendry.json': JSON.stringify({ turns: [{ text: 'Rather the south bed, @arya.' }] }),
    },
    config: { hooks: [gate.hook('after_run')] },
  });
  await workspace.answer('chat', 'new', 'garden');
  const terminal = new Terminal(workspace, ['chat', 'join', 'garden']);
  await terminal.sees(/here: no agents yet/);
  say(terminal, '@arya please begin');
  await gate.reached();
  await terminal.sees(/arya\nThe north bed, @gendry\?/);
  terminal.type('half a line');
  await terminal.sees(/garden › half a line$/);
  await gate.open();
  await terminal.sees(/arya {2}#3 .*\nAgreed\.\ngarden › half a line$/);
  terminal.press('C-c');
  say(terminal, '/pause');
  await terminal.sees(/Paused garden/);
  say(terminal, '@arya are you there');
  say(terminal, '/who');
  await terminal.sees(/here: arya, gendry[\s\S]*paused; 1 waiting/);
  say(terminal, '/leave');
  expect(await terminal.exitCode()).toBe(0);
  const screen = await terminal.sees(/exit 0/);
  expect(screen).toMatch(
    /arya {2}#1 [\s\S]*The north bed[\s\S]*gendry {2}#2 [\s\S]*south bed[\s\S]*arya {2}#3 [\s\S]*Agreed\./,
  );
  expect(screen.split('Rather the south bed')).toHaveLength(2);
  await workspace.verified();
});

test('joining without a terminal fails and suggests chat send', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('chat', 'new', 'garden');
  const { exitCode, error } = await workspace.refusal('chat', 'join', 'garden', '--pause');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 2, code: 'cli.usage' });
  expect(error.message).toContain('oka chat send garden');
  const { data } = await workspace.answer<{ conversations: { paused: boolean }[] }>('chat');
  expect(data.conversations).toMatchObject([{ paused: false }]);
});
