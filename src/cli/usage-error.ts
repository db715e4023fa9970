import type { Command, CommanderError } from 'commander';
import { nearestName, OkaError } from '../api/index.ts';

/** A name that more commands have below them says nothing. */
const MOST_MEANT = 3;

/** Says what is wrong with a call of this very command, and where to read how it is called. */
export function usageError(error: CommanderError, command: Command): OkaError {
  const help = `${nameOf(command)} --help`;
  const sentence = whatIsWrong(error, command).replace(/[.]$/, '');
  const end = /[?!]$/.test(sentence) ? '' : '.';
  return new OkaError('cli.usage', `${sentence}${end} See: ${help}.`, { data: { help } });
}

/** A command as it is typed, such as `oka graph schedule`. */
export function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** The commands below one that its help shows. */
function namesBelow(command: Command): readonly string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((below) => below.name());
}

function whatIsWrong({ code, message }: CommanderError, command: Command): string {
  const told = message.replace(/^error: /, '').replaceAll('\n', ' ');
  switch (code) {
    case 'commander.help':
      // Help was asked about something that there is not.
      if (command.args[0] === 'help' && command.args.length > 1)
        return unknownCommand(command, command.args[1]);
      return command.parent ? `say what to do: ${namesBelow(command).join(', ')}` : 'say what to do';
    case 'commander.unknownCommand':
      return unknownCommand(command);
    case 'commander.excessArguments':
      return command.commands.length > 0 ? unknownCommand(command) : tooManyArguments(command);
    case 'commander.missingArgument':
      return missingArgument(told, command);
    default:
      // What was meant stands in brackets at the end; here it is a sentence.
      return told
        .replace(/ +\((Did you mean .+\?)\)$/, '. $1')
        .replace(
          /^command-argument value ('.*') is invalid for argument ('.*?')/s,
          'argument $2 cannot be $1',
        );
  }
}

/** A command that also acts on its own takes a typo for an argument, so this is told for both. */
function unknownCommand(command: Command, name = command.args[0] ?? ''): string {
  const near = nearestName(name, namesBelow(command));
  const meant = near === undefined ? elsewhere(name, command) : near;
  const of = command.parent ? ` of ${nameOf(command)}` : '';
  return `unknown command '${name}'${of}${meant === undefined ? '' : `. Did you mean ${meant}?`}`;
}

/** What is called by this name further down, as `send` is below `chat`. */
function elsewhere(name: string, command: Command): string | undefined {
  const found = command.commands.flatMap((below) => calledBelow(name, below));
  return found.length === 0 || found.length > MOST_MEANT ? undefined : found.join(', or ');
}

function calledBelow(name: string, command: Command): readonly string[] {
  return [
    ...(namesBelow(command).includes(name) ? [`${nameOf(command)} ${name}`] : []),
    ...command.commands.flatMap((below) => calledBelow(name, below)),
  ];
}

function tooManyArguments(command: Command): string {
  const { length: most } = command.registeredArguments;
  const { length: count } = command.args;
  const given = `${count} ${count === 1 ? 'was' : 'were'} given`;
  if (most === 0) return `too many arguments: ${nameOf(command)} takes none, and ${given}`;
  return `too many arguments: ${nameOf(command)} takes ${most}, and ${given}. Put quotes around words that belong together`;
}

function missingArgument(told: string, command: Command): string {
  const missing = command.registeredArguments[command.args.length];
  return missing?.description ? `${told}: ${missing.description}` : told;
}
