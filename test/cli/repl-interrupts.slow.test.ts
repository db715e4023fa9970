// Ctrl-C in a session: at each moment it stops one thing, keeps what was said, and tells how to go on.
import { expect, onTestFinished, test } from 'vitest';
import { Workspace } from './oka-process.ts';
import { configFor, type ModelReply, streamingModel } from './streaming-model.ts';
import { noTerminal, Terminal } from './terminal.ts';

function say(terminal: Terminal, text: string): void {
  terminal.type(text);
  terminal.press('Enter');
}

/** A session whose model answers as the test has it. */
async function session(reply: (reply: ModelReply) => unknown) {
  const model = await streamingModel(reply);
  onTestFinished(() => model.close());
  const workspace = Workspace.trusted({
    files: { 'watering.sh': 'while true; do echo watering; sleep 1; done\n' },
  });
  workspace.putAtHome('config.json', JSON.stringify(configFor(model.url)));
  const terminal = new Terminal(workspace, [], { env: { TEST_KEY: 'k' }, columns: 80, rows: 24 });
  await terminal.sees(/\/help · Ctrl-D to leave/);
  const statuses = async (): Promise<readonly string[]> => {
    const { data } = await workspace.answer<{ runs: { status: string }[] }>('runs', 'list');
    return data.runs.map(({ status }) => status);
  };
  return { workspace, terminal, statuses };
}

/** Leaves, so that nothing writes into the folders of the test after its end. */
async function leave(terminal: Terminal): Promise<void> {
  terminal.press('C-d');
  await terminal.exitCode();
}

const STOPPED = /Stopped[\s\S]*Continue: type what to do next, or \/runs resume \S+/;

test('while a model is waited for, it stops the turn', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const { terminal, statuses } = await session(() => undefined);
  say(terminal, 'how is the garden');
  await terminal.sees(/anton is waiting for gpt-5-mini/);
  terminal.press('C-c');
  await terminal.sees(STOPPED);
  expect(await statuses()).toEqual(['cancelled']);
  await leave(terminal);
});

test('while an answer streams, it keeps the text so far', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const { terminal, statuses } = await session((reply) =>
    reply.say('The beds are dry.\n\nAnd the paths are wet'),
  );
  say(terminal, 'how is the garden');
  await terminal.sees(/The beds are dry\.\nAnd the paths.*\n. anton is answering/);
  terminal.press('C-c');
  const shown = await terminal.sees(STOPPED);
  expect(shown).toMatch(/The beds are dry\.\n\nAnd the paths.*\n {2}Stopped/);
  expect(await statuses()).toEqual(['cancelled']);
  await leave(terminal);
});

test('while a program runs, it ends the program and shows its last line until then', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const { terminal, statuses } = await session((reply) => {
    if (reply.hasResult) return;
    reply.call('process.run', { argv: ['sh', 'watering.sh'], network: true });
  });
  say(terminal, 'water the beds');
  await terminal.sees(/\[y\] yes, once/);
  await terminal.decide('y', /\n {4}yes, once/);
  await terminal.sees(/anton is running .*watering\.sh.* watering/);
  terminal.press('C-c');
  await terminal.sees(STOPPED);
  expect(await statuses()).toEqual(['cancelled']);
  await leave(terminal);
});

test('in a card it only closes the card, and the turn keeps waiting', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const { terminal, statuses } = await session((reply) =>
    reply.call('process.run', { argv: ['printf', 'done'], network: true }),
  );
  say(terminal, 'print it');
  await terminal.sees(/\[y\] yes, once/);
  await terminal.decide('C-c', /Postponed\. To decide: \/approve[\s\S]*waiting for your approval/);
  expect(await statuses()).toEqual(['waiting']);
  await leave(terminal);
});

test('at the prompt it clears typed text, and on an empty line it leaves after a second press', async ({
  skip,
}) => {
  if (noTerminal) return skip(noTerminal);
  const { terminal, statuses } = await session(() => undefined);
  terminal.type('half a line');
  await terminal.sees(/› half a line$/);
  terminal.press('C-c');
  await terminal.sees(/anton · openai\/gpt-5-mini\n›$/);
  terminal.press('C-c');
  await terminal.sees(/Press Ctrl-C again to leave/);
  expect(await statuses()).toEqual([]);
  terminal.press('C-c');
  expect(await terminal.exitCode()).toBe(0);
});
