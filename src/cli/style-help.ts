// Owns: how help reads for every command alike. It leads with examples, and a command without any has those of the command
// above it that are about it.
import type { EventEmitter } from 'node:events';
import { type Command, Help } from 'commander';
import { nameOf } from './usage-error.ts';

const EVERYWHERE = 'Everywhere: -C <dir>, --json, --quiet, --no-input; see: oka --help';
/** Says nothing: that is what an option is when it is left out. */
const NO_DEFAULT = / \(default: (?:\[\]|"\{\}")\)/;

/** Lets the help of a command be read by the same eyes as that of all others. */
export function styleHelp(command: Command): void {
  command.helpOption('-h, --help', 'show this help').helpCommand(command.commands.length > 0);
  command.configureHelp({
    visibleCommands: (above) =>
      Help.prototype.visibleCommands.call(new Help(), above).filter((one) => one.name() !== 'help'),
    optionDescription: (option) => Help.prototype.optionDescription(option).replace(NO_DEFAULT, ''),
    formatHelp,
  });
}

function formatHelp(command: Command, help: Help): string {
  const { examples, notes } = addedTo(command);
  // What was added stands in its place already.
  emitting(command).removeAllListeners('afterHelp');
  const shown = examples.length > 0 ? examples : examplesAbove(command);
  const blocks = [
    shown.length === 0 ? '' : `Examples:\n${shown.join('\n')}`,
    Help.prototype.formatHelp.call(help, command, help),
    notes,
    command.parent ? EVERYWHERE : '',
  ];
  return `${blocks
    .map((block) => block.trimEnd())
    .filter((block) => block !== '')
    .join('\n\n')}\n`;
}

/** What a command has added to its help: examples, and what else there is to say. */
function addedTo(command: Command): { readonly examples: readonly string[]; readonly notes: string } {
  const texts: string[] = [];
  emitting(command).emit('afterHelp', { error: false, command, write: (text: string) => texts.push(text) });
  const lines = texts.join('').trim().split('\n');
  if (!/^Examples?:$/.test(lines[0] ?? '')) return { examples: [], notes: lines.join('\n') };
  const end = lines.indexOf('');
  const examples = end < 0 ? lines.slice(1) : lines.slice(1, end);
  return { examples, notes: end < 0 ? '' : lines.slice(end + 1).join('\n') };
}

/** Commands are emitters, which their types do not say. */
function emitting(command: Command): EventEmitter {
  return command as unknown as EventEmitter;
}

/** The examples of the commands above that call this one. */
function examplesAbove(command: Command): readonly string[] {
  const called = `  ${nameOf(command)}`;
  for (let above = command.parent; above; above = above.parent) {
    const { examples } = addedTo(above);
    const own = examples.filter((line) => line === called || line.startsWith(`${called} `));
    if (own.length > 0) return own;
  }
  return [];
}
