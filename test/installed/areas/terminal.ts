// What needs a terminal: questions, the REPL and rooms.

import { expect, test } from 'vitest';
import type { Workspace } from '../../cli/oka-process.ts';
import { noTerminal, Terminal } from '../../cli/terminal.ts';
import { type Area, SCRIPTED, script, succeed } from './area.ts';

function say(terminal: Terminal, text: string): void {
  terminal.type(text);
  terminal.press('Enter');
}

export function terminalArea({ open }: Area): void {
  const talking = (): Promise<Workspace> =>
    open({ files: { 'script.json': script({ text: 'Good day.' }) }, config: SCRIPTED });

  test('the REPL starts, answers and ends', async ({ skip }) => {
    if (noTerminal) return skip(noTerminal);
    const terminal = new Terminal(await talking(), []);
    await terminal.sees(/Ctrl-D to leave/);
    say(terminal, 'how is the garden');
    await terminal.sees(/Good day\./);
    say(terminal, '/diff');
    await terminal.sees(/has changed no files/);
    terminal.press('C-d');
    expect(await terminal.exitCode()).toBe(0);
  });

  test('an answer streams, a card is shown, and the picker of models opens and closes', async ({ skip }) => {
    if (noTerminal) return skip(noTerminal);
    const workspace = await talking();
    const asking = new Terminal(workspace, ['do', 'how is the garden']);
    await asking.sees(/Good day\./);
    expect(await asking.exitCode()).toBe(0);
    const calling = new Terminal(workspace, [
      'tools',
      'call',
      'process.run',
      '{"argv":["true"],"network":true}',
    ]);
    await calling.sees(/Run a program/);
    await calling.decide('Enter', /Denied/);
    const picking = new Terminal(workspace, ['model', 'add']);
    await picking.sees(/Provider/);
    picking.press('C-c');
    await picking.exitCode();
  });

  test('init offers a model once, and a report is rendered', async ({ skip }) => {
    if (noTerminal) return skip(noTerminal);
    const workspace = await open();
    const starting = new Terminal(workspace, ['init']);
    await starting.sees(/Which model should agents use/);
    starting.press('Enter');
    await starting.sees(/Workspace already exists/);
    expect(await starting.exitCode()).toBe(0);
    const reporting = new Terminal(workspace, ['do', 'collect the TODOs']);
    await reporting.sees(/TODO/);
    expect(await reporting.exitCode()).toBe(0);
  });

  test('a person joins a room and leaves it', async ({ skip }) => {
    if (noTerminal) return skip(noTerminal);
    const workspace = await talking();
    await succeed(workspace, 'chat', 'new', 'garden', '--no-input');
    const terminal = new Terminal(workspace, ['chat', 'join', 'garden']);
    await terminal.sees(/garden ›/);
    say(terminal, '@anton hello');
    await terminal.sees(/Good day\./);
    say(terminal, '/leave');
    expect(await terminal.exitCode()).toBe(0);
  });

  test('a secret is typed unseen, and a question is answered', async ({ skip }) => {
    if (noTerminal) return skip(noTerminal);
    const workspace = await talking();
    const adding = new Terminal(workspace, ['vault', 'add', 'github', '--key-source', 'file']);
    await adding.shows(/Value of github/);
    say(adding, 'hunter2-hunter2');
    expect(await adding.exitCode()).toBe(0);
    const showing = new Terminal(workspace, ['vault', 'show', 'github', '--reveal']);
    await showing.shows(/Show the value of github/);
    showing.type('y');
    await showing.shows(/hunter2-hunter2/);
    expect(await showing.exitCode()).toBe(0);
  });
}
