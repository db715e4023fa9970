// The screens under docs/screens, from a real terminal. OKA_WRITE_SCREENS=1 writes them again.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { Workspace } from './oka-process.ts';
import { configFor, type ModelReply, streamingModel } from './streaming-model.ts';
import { noTerminal, Terminal } from './terminal.ts';

const FOLDER = join(import.meta.dirname, '../../docs/screens');
const ANSWER = `The **garden** has two kinds of beds.

| bed | litres | when |
|---|---:|---|
| north | 12 | evening |
| south | 8 | morning |

\`\`\`ts
for (const bed of beds) water(bed);
\`\`\`

Water them at the usual time in the evening, when the sun is down, and`;

/** The screen without what differs each time: spinners, seconds, tokens, ids and versions. */
function steady(screen: string): string {
  return `${screen
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '⠹')
    .replaceAll(/(?<=…) \d+ s/g, ' 3 s')
    .replaceAll(/(?<=runs resume )\S+/g, 'hnzz15')
    .replaceAll(/[\d.]+k tokens/g, '10.4k tokens')
    .replaceAll(/(?<=Oka )\d+\.\d+\.\d+/g, '0.2.0')
    .replaceAll(/(?<=garden-tools\?) .*/g, '')
    .replaceAll(/\S*\/garden-tools(?=[\s?])/g, '~/garden-tools')
    .trimEnd()}\n`;
}

function keep(name: string, terminal: Terminal): void {
  const screen = steady(terminal.visible());
  const file = join(FOLDER, `${name}.txt`);
  if (process.env['OKA_WRITE_SCREENS'] === '1') writeFileSync(file, screen);
  // The seconds and the spinner are only there while the terminal waits long enough.
  const words = (text: string): string => text.replaceAll(/…( 3 s)?/g, '…');
  expect(words(screen)).toBe(words(readFileSync(file, 'utf8')));
}

function gardenTools(): Workspace {
  const root = join(tempFolder(), 'garden-tools');
  mkdirSync(root);
  return new Workspace({ root });
}

async function withModel(reply: (reply: ModelReply) => unknown): Promise<Terminal> {
  const model = await streamingModel(reply);
  onTestFinished(() => model.close());
  const workspace = gardenTools();
  workspace.putAtHome('config.json', JSON.stringify(configFor(model.url)));
  await workspace.answer('init', '--trust');
  const terminal = new Terminal(workspace, [], { env: { TEST_KEY: 'k' }, columns: 80, rows: 24 });
  await terminal.sees(/\/help · Ctrl-D to leave/);
  return terminal;
}

function say(terminal: Terminal, text: string): void {
  terminal.type(text);
  terminal.press('Enter');
}

/** Leaves, so that nothing writes into the folders of the test after its end. */
async function leave(terminal: Terminal): Promise<void> {
  terminal.press('C-d');
  await terminal.exitCode();
}

test('the first start without a model', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const workspace = gardenTools();
  await workspace.answer('init', '--trust');
  const terminal = new Terminal(workspace, [], { columns: 80, rows: 24 });
  await terminal.sees(/anton · no model\n›$/);
  keep('first-start', terminal);
  await leave(terminal);
});

test('an answer with a table and code while it streams', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const terminal = await withModel((reply) => reply.say(ANSWER));
  say(terminal, 'how do I water the beds?');
  await terminal.sees(/water\(bed\)[\s\S]*sun is down.*\n.* anton is answering/);
  keep('streaming-answer', terminal);
  await leave(terminal);
});

test('an approval after a change', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const terminal = await withModel((reply) => {
    if (reply.hasResult)
      reply.call('process.run', {
        argv: ['git', 'push', 'origin', 'main'],
        network: { hosts: ['github.com'] },
      });
    else {
      reply.say('I note the beds and push the change.');
      reply.call('files.write', { path: 'notes.md', content: 'four beds\nthree paths\n' });
    }
  });
  say(terminal, 'note the beds and push');
  await terminal.sees(/wrote notes\.md \+2[\s\S]*\[y\] yes, once[\s\S]*later\)/);
  keep('approval', terminal);
  await terminal.decide('Enter', /Postponed/);
  await leave(terminal);
});

test('Ctrl-C while an answer streams', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const terminal = await withModel((reply) => reply.say('The beds are dry.\n\nAnd the paths are'));
  say(terminal, 'how is the garden?');
  await terminal.sees(/And the paths.*\n.* anton is answering/);
  terminal.press('C-c');
  // The status line shows what the stopped turn cost when the turn has ended, which may be after the note.
  await terminal.sees(/Continue: type what to do next[^\n]*\n *anton · [^\n]* tokens · [^\n]*\n›$/);
  keep('ctrl-c', terminal);
  await leave(terminal);
});
