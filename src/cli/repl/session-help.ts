import type { Command } from 'commander';

export const SESSION_COMMANDS: Readonly<Record<string, string>> = {
  help: 'Show this help; /help graph shows one command',
  new: 'Start a new session',
  resume: 'Resume the last session, or the given one',
  approve: 'Decide postponed approvals',
  cost: 'Show tokens and cost by turn, and what is left of the budgets',
  diff: 'Show the file changes of this session as a diff',
  undo: 'Undo the file changes of the last turn that made some',
  compact: 'Continue in a fresh session that carries a summary of this one',
  export: 'Write this session as Markdown to a file; /export notes.md',
  clear: 'Clear the screen',
  exit: 'Leave; the conversation is kept',
};

/** Commands that need the terminal or stdin for themselves. */
export const EXCLUDED_COMMANDS: readonly string[] = ['repl', 'mcp serve'];

export function sessionHelp(agent: string, program: Command): string {
  const commands = program
    .createHelp()
    .visibleCommands(program)
    .filter((one) => !EXCLUDED_COMMANDS.includes(one.name()));
  const rows = [
    ...Object.entries(SESSION_COMMANDS),
    ...commands.filter((one) => one.name() !== 'help').map((one) => [one.name(), one.description()] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `Type what you want. ${agent} works on it with tools, skills and memory, and asks before external changes.`,
    'Write @name to ask another agent too.',
    '',
    'Every oka command works here after a slash, such as:',
    '  /graph list        /memory retrieve "beds"        /runs explain <run>        /chat join garden',
    '',
    ...rows.map(([name, what]) => `  /${name.padEnd(width)}  ${what}`),
    '',
    'Keys: Tab completes · Alt-Enter or \\ at the end of a line starts a new line · ↑ ↓ history',
    '      Ctrl-C cancels the current turn; pressed twice on an empty line it leaves · Ctrl-D leaves',
  ].join('\n');
}
