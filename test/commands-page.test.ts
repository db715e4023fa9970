// docs/commands.md is made from the definitions of the commands. After a change, write it again with:
// npx vitest run --project test test/commands-page.test.ts -u

import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { wholeProgram } from '../src/cli/main.ts';
import { root } from './checkout.ts';

const INTRODUCTION = `# Commands

\`oka <command> --help\` shows the options and examples of a command. \`oka\` without a command starts a session on a terminal.

Every command accepts \`-C <dir>\` (work in this folder), \`--json\` (print one JSON envelope), \`--quiet\` (print only the result) and
\`--no-input\` (never prompt). Commands find the workspace in the current folder or in a folder above it.
`;

const EXIT_CODES = `
## Exit codes

| code | meaning |
|---|---|
| 0 | ok |
| 1 | failed |
| 2 | wrong usage |
| 3 | invalid input |
| 4 | approval needed or denied |
| 5 | budget or timeout |
| 6 | model provider |
| 7 | integrity |
| 8 | done in part |
| 9 | not proven |
| 130, 143 | ended by SIGINT, SIGTERM |

A run with children exits with the code of the most urgent thing that its children wait for.
`;

/** Commands that people type: the hidden ones are for scripts. */
function visibleIn(command: Command): readonly Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
}

/** The commands that act; some groups act without a subcommand too. */
function actingIn(command: Command): readonly Command[] {
  const inner = visibleIn(command).flatMap(actingIn);
  return hasAction(command) ? [command, ...inner] : inner;
}

function hasAction(command: Command): boolean {
  return (command as unknown as { readonly _actionHandler: unknown })._actionHandler !== null;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function rowOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const usage = [nameOf(command), ...words].join(' ').replaceAll('|', '\\|');
  return `| \`${usage}\` | ${command.description().replaceAll('|', '\\|')} |`;
}

function tableOf(title: string, commands: readonly Command[]): string {
  return ['', `## ${title}`, '', '| command | what it does |', '|---|---|', ...commands.map(rowOf)].join(
    '\n',
  );
}

test('docs/commands.md lists every command as the program defines it', async () => {
  const all = visibleIn(await wholeProgram());
  const groups = all.filter((command) => visibleIn(command).length > 0);
  const single = all.filter((command) => !groups.includes(command));
  const tables = [
    tableOf('Work and settings', single),
    ...groups.map((group) => tableOf(group.name(), actingIn(group))),
  ];
  const page = `${INTRODUCTION}${tables.join('\n')}\n${EXIT_CODES}`;
  await expect(page).toMatchFileSnapshot(join(root, 'docs', 'commands.md'));
});
