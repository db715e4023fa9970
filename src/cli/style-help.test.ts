import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { collect } from './context.ts';
import { styleHelp } from './style-help.ts';

function program(): { readonly send: Command; readonly chat: Command } {
  const oka = new Command('oka').option('--json');
  const chat = oka.command('chat').description('talk');
  chat.addHelpText('after', '\nExamples:\n  oka chat\n  oka chat send garden hi\n\nTimes are in UTC.');
  const send = chat.command('send').description('say it').option('--to <name>', 'whom', collect, []);
  for (const command of [oka, chat, send]) styleHelp(command);
  return { chat, send };
}

test('help starts with examples and ends with notes', () => {
  const shown = program().chat.helpInformation();
  expect(shown).toMatch(/^Examples:\n {2}oka chat\n {2}oka chat send garden hi\n\nUsage: oka chat /);
  expect(shown).toMatch(/\n\nTimes are in UTC\.\n\nGlobal options: .+ See: oka --help\n$/);
  expect(shown).not.toContain('help [command]');
});

test('a command without examples shows those of its parent that call it', () => {
  const shown = program().send.helpInformation();
  expect(shown).toMatch(/^Examples:\n {2}oka chat send garden hi\n\nUsage: oka chat send /);
  expect(shown).toMatch(/--to <name> +whom\n/);
});

test.each([
  { columns: 70, longest: 70 },
  { columns: 200, longest: 80 },
])('help on $columns columns is at most $longest wide', ({ columns, longest }) => {
  const original = process.stdout.columns;
  onTestFinished(() => {
    process.stdout.columns = original;
  });
  process.stdout.columns = columns;
  const send = new Command('send').option('--to <name>', 'one of the many people who read it '.repeat(5));
  styleHelp(send);
  const widths = send
    .helpInformation()
    .split('\n')
    .map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(longest);
  expect(Math.max(...widths)).toBeGreaterThan(longest - 15);
});
