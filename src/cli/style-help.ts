// Owns: the layout of help. Examples come first; a command without examples shows those of its parents that call it.
import type { EventEmitter } from 'node:events';
import { type Command, Help } from 'commander';
import { nameOf } from './usage-error.ts';

const GLOBAL_OPTIONS = 'Global options: -C <dir>, --json, --quiet, --verbose, --no-input. See: oka --help';
/** The build renders help for this width. The program itself does so for a narrower terminal. */
const MAX_WIDTH = 80;
/** Empty defaults carry no information. */
const NO_DEFAULT = / \(default: (?:\[\]|"\{\}")\)/;

export function styleHelp(command: Command): void {
  command.helpOption('-h, --help', 'Show help').helpCommand(command.commands.length > 0);
  command.configureHelp({
    helpWidth: Math.min(process.stdout.columns || MAX_WIDTH, MAX_WIDTH),
    visibleCommands: (above) =>
      Help.prototype.visibleCommands.call(new Help(), above).filter((one) => one.name() !== 'help'),
    optionDescription: (option) => Help.prototype.optionDescription(option).replace(NO_DEFAULT, ''),
    formatHelp,
  });
}

function formatHelp(command: Command, help: Help): string {
  const { examples, notes } = addedHelp(command);
  // Already included in the blocks below.
  asEmitter(command).removeAllListeners('afterHelp');
  const shown = examples.length > 0 ? examples : examplesAbove(command);
  const blocks = [
    shown.length === 0 ? '' : `Examples:\n${shown.join('\n')}`,
    Help.prototype.formatHelp.call(help, command, help),
    notes,
    command.parent ? GLOBAL_OPTIONS : '',
  ];
  return `${blocks
    .map((block) => block.trimEnd())
    .filter((block) => block !== '')
    .join('\n\n')}\n`;
}

/** Splits the added help text into examples and notes. */
function addedHelp(command: Command): { readonly examples: readonly string[]; readonly notes: string } {
  const texts: string[] = [];
  asEmitter(command).emit('afterHelp', { error: false, command, write: (text: string) => texts.push(text) });
  const lines = texts.join('').trim().split('\n');
  if (!/^Examples?:$/.test(lines[0] ?? '')) return { examples: [], notes: lines.join('\n') };
  const end = lines.indexOf('');
  const examples = end < 0 ? lines.slice(1) : lines.slice(1, end);
  return { examples, notes: end < 0 ? '' : lines.slice(end + 1).join('\n') };
}

/** Commands are emitters, but their types hide it. */
function asEmitter(command: Command): EventEmitter {
  return command as unknown as EventEmitter;
}

function examplesAbove(command: Command): readonly string[] {
  const called = `  ${nameOf(command)}`;
  for (let above = command.parent; above; above = above.parent) {
    const { examples } = addedHelp(above);
    const own = examples.filter((line) => line === called || line.startsWith(`${called} `));
    if (own.length > 0) return own;
  }
  return [];
}
