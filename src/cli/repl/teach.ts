import type { Command } from 'commander';

/** Commands that only a session has. */
export const OWN_COMMANDS: Readonly<Record<string, string>> = {
  help: 'this; /help graph tells about one command',
  new: 'begin a new session',
  resume: 'go on with the last session, or with the one that you name',
  approve: 'decide what you have put off',
  clear: 'clear the screen',
  exit: 'leave; what was said is kept',
};

/** Commands that have the terminal to themselves, or that speak on it with another program. */
export const NOT_HERE: readonly string[] = ['repl', 'mcp serve'];

/** What a person can do in a session. */
export function teach(agent: string, program: Command): string {
  const commands = program
    .createHelp()
    .visibleCommands(program)
    .filter((one) => !NOT_HERE.includes(one.name()));
  const rows = [
    ...Object.entries(OWN_COMMANDS),
    ...commands.filter((one) => one.name() !== 'help').map((one) => [one.name(), one.description()] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `Say what you want, and ${agent} works on it with tools, skills and memory; what changes something outside asks you first.`,
    'Write @name to ask another agent as well.',
    '',
    'Every subcommand of oka works here after a slash, as in:',
    '  /graph list        /memory retrieve "beds"        /runs explain <run>        /chat join garden',
    '',
    ...rows.map(([name, what]) => `  /${name.padEnd(width)}  ${what}`),
    '',
    'Keys: Tab completes · Alt-Enter or \\ at the end of a line begins another · ↑ ↓ what you typed before',
    '      Ctrl-C cancels what is being answered, and leaves when pressed twice on an empty line · Ctrl-D leaves',
  ].join('\n');
}
