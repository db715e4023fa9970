import { expect, onTestFinished, test } from 'vitest';
import type { ChatViewAnswer } from '../../src/api/index.ts';
import { Gate } from './gate.ts';
import { Workspace, type WorkspaceOptions } from './oka-process.ts';
import { noTerminal, Terminal } from './terminal.ts';

/** A trusted workspace whose default model plays these turns. */
function playing(
  turns: readonly object[],
  options: { hooks?: readonly object[] } & WorkspaceOptions = {},
): Workspace {
  return Workspace.trusted({
    files: { 'script.json': JSON.stringify({ turns }) },
    config: {
      models: { actor: { provider: 'scripted', script: 'script.json' } },
      ...(options.hooks ? { hooks: options.hooks } : {}),
    },
  });
}

function say(terminal: Terminal, text: string): void {
  terminal.type(text);
  terminal.press('Enter');
}

async function withDaemon(workspace: Workspace): Promise<void> {
  const { data } = await workspace.answer<{ pid: number }>('up');
  onTestFinished(() => {
    try {
      process.kill(data.pid, 'SIGKILL');
    } catch {
      // The test has stopped it.
    }
  });
}

const READY = /\/help · Ctrl-D to leave/;

const times = (text: string, words: string): number => text.split(words).length - 1;

test('an answer streams and is shown once, and --resume continues the session', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const gate = new Gate();
  const workspace = playing(
    [{ when: 'thank', text: 'You are welcome.' }, { text: 'Good day.\nThe beds are dry.' }],
    { hooks: [gate.hook('after_run')] },
  );
  const first = new Terminal(workspace, []);
  await first.sees(READY);
  say(first, 'how is the garden');
  await gate.reached();
  await first.sees(/The beds are dry/);
  const { data } = await workspace.answer<ChatViewAnswer>('chat', 'view', 'anton-1');
  expect(data.messages.map(({ content }) => content)).toEqual(['how is the garden']);
  await gate.open();
  say(first, 'thank you');
  await first.sees(/› thank you\n(.*\n)*You are welcome\.\n\nanton · scripted.*\n›$/);
  first.press('C-d');
  expect(await first.exitCode()).toBe(0);
  expect(times(await first.sees(/exit 0/), 'The beds are dry.')).toBe(1);

  const second = new Terminal(workspace, ['--resume']);
  const resumed = await second.sees(/Session anton-1/);
  expect(resumed).toMatch(/› how is the garden\n(› thank you\n)?Good day\.\nThe beds are dry\./);
  say(second, '/exit');
  expect(await second.exitCode()).toBe(0);
  await workspace.verified();
});

test.for(['in its own process', 'by the daemon'])(
  'a session whose agents run %s shows an approval as a card, and a bare Enter allows nothing',
  async (where, { skip }) => {
    if (noTerminal) return skip(noTerminal);
    const workspace = playing([
      { when: 'thanks', text: 'You are welcome.' },
      {
        once: true,
        text: 'I print it.',
        tool_calls: [{ tool: 'process.run', input: { argv: ['printf', 'a\u202eb\u0007'], network: true } }],
      },
      { text: 'It is printed.' },
    ]);
    if (where === 'by the daemon') await withDaemon(workspace);
    const terminal = new Terminal(workspace, []);
    await terminal.sees(READY);
    say(terminal, 'print it');
    const shown = await terminal.sees(/\[l\] later/);
    expect(shown).toContain("printf 'a\\u{202e}b\\u{7}'");
    await terminal.decide('Enter', /Postponed\. To decide: \/approve/);
    say(terminal, '/approve');
    await terminal.sees(/› \/approve[\s\S]*\[l\] later/);
    await terminal.decide('y', /\n {4}yes, once/);
    await terminal.sees(/ran printf .*\n[\s\S]*It is printed\.\n\nanton.*\n›$/);
    // A session goes on without the daemon that answered in it.
    if (where === 'by the daemon') await workspace.answer('down');
    say(terminal, 'thanks');
    await terminal.sees(/You are welcome\.\n\nanton.*\n›$/);
    terminal.press('C-d');
    expect(await terminal.exitCode()).toBe(0);
    const { data } = await workspace.answer<ChatViewAnswer>('chat', 'view', 'anton-1');
    const said = data.messages.map(({ content }) => content);
    // What is answered is seen as it comes, so the next may be said before the answer stands.
    expect([said[0], ...said.slice(1, 3).sort(), ...said.slice(3)]).toEqual([
      'print it',
      'It is printed.',
      'thanks',
      'You are welcome.',
    ]);
  },
);

test('Ctrl-C cancels the turn and keeps the session, and commands are completed, run and corrected', async ({
  skip,
}) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = playing([{ when: 'slow', text: 'too late', delay_ms: 600_000 }, { text: 'Good day.' }]);
  const terminal = new Terminal(workspace, []);
  await terminal.sees(READY);
  say(terminal, 'slow');
  await terminal.sees(/anton is waiting for/);
  terminal.press('C-c');
  await terminal.sees(/Stopped[\s\S]*Continue: type what to do next/);
  say(terminal, 'hello');
  await terminal.sees(/Good day\./);

  terminal.type('/cha');
  terminal.press('Tab');
  await terminal.sees(/› \/chat$/);
  terminal.type('vi');
  terminal.press('Tab');
  await terminal.sees(/› \/chat view$/);
  terminal.type('an');
  terminal.press('Tab');
  await terminal.sees(/› \/chat view anton-1$/);
  terminal.press('Enter');
  await terminal.sees(/user {2}#0[\s\S]*anton {2}#\d/);
  say(terminal, '/runs show nobody');
  await terminal.sees(/✗ No run "nobody"/);
  say(terminal, '/grpah list');
  await terminal.sees(/Did you mean \/graph\?/);

  terminal.press('C-c');
  await terminal.sees(/Press Ctrl-C again to leave/);
  terminal.press('C-c');
  expect(await terminal.exitCode()).toBe(0);
  const { data } = await workspace.answer<{ runs: { status: string }[] }>('runs', 'list');
  expect(data.runs.map(({ status }) => status)).toEqual(['completed', 'cancelled']);
});

test('without a model the session reports it once, works by rules, and asks questions', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = Workspace.trusted();
  const terminal = new Terminal(workspace, []);
  await terminal.sees(/No model is configured[\s\S]*what can you do\?[\s\S]*\/model/);
  terminal.type('write');
  terminal.press('M-Enter');
  say(terminal, 'notes.txt');
  await terminal.sees(/◆ {2}files\.write needs "content"/);
  say(terminal, 'four beds');
  await terminal.sees(/wrote notes\.txt[\s\S]*›$/);
  expect(workspace.text('notes.txt')).toBe('four beds');
  terminal.press('C-d');
  expect(await terminal.exitCode()).toBe(0);
  expect(times(await terminal.sees(/exit 0/), 'No model is configured')).toBe(1);
  expect(workspace.homeText('repl-history')).toBe('write⏎notes.txt\n');
});
