import type { Command, CommanderError } from 'commander';
import { nearestName, OkaError } from '../api/index.ts';

/** A name that more commands share is no useful suggestion. */
const MAX_SUGGESTIONS = 3;

export function usageError(error: CommanderError, command: Command): OkaError {
  const help = `${nameOf(command)} --help`;
  const sentence = describeProblem(error, command).replace(/[.]$/, '');
  const end = /[?!]$/.test(sentence) ? '' : '.';
  return new OkaError('cli.usage', `${sentence}${end} See: ${help}.`, { data: { help } });
}

/** Such as `oka graph schedule`. */
export function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function namesBelow(command: Command): readonly string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((below) => below.name());
}

function describeProblem({ code, message }: CommanderError, command: Command): string {
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  switch (code) {
    case 'commander.help':
      // Help for an unknown command.
      if (command.args[0] === 'help' && command.args.length > 1)
        return unknownCommand(command, command.args[1]);
      return command.parent
        ? `missing command, one of: ${namesBelow(command).join(', ')}`
        : 'missing command';
    case 'commander.unknownCommand':
      return unknownCommand(command);
    case 'commander.excessArguments':
      return command.commands.length > 0 ? unknownCommand(command) : tooManyArguments(command);
    case 'commander.missingArgument':
      return missingArgument(text, command);
    default:
      // Turn the suggestion in brackets into a sentence.
      return text
        .replace(/ +\((Did you mean .+\?)\)$/, '. $1')
        .replace(
          /^command-argument value ('.*') is invalid for argument ('.*?')/s,
          'argument $2 cannot be $1',
        );
  }
}

/** A command with its own action takes a typo for an argument, so both cases end here. */
function unknownCommand(command: Command, name = command.args[0] ?? ''): string {
  const near = nearestName(name, namesBelow(command));
  const suggestion = near === undefined ? nestedCommands(name, command) : near;
  const of = command.parent ? ` of ${nameOf(command)}` : '';
  return `unknown command '${name}'${of}${suggestion === undefined ? '' : `. Did you mean ${suggestion}?`}`;
}

/** Subcommands of this name, such as `chat send`. */
function nestedCommands(name: string, command: Command): string | undefined {
  const found = command.commands.flatMap((below) => pathsBelow(name, below));
  return found.length === 0 || found.length > MAX_SUGGESTIONS ? undefined : found.join(', or ');
}

function pathsBelow(name: string, command: Command): readonly string[] {
  return [
    ...(namesBelow(command).includes(name) ? [`${nameOf(command)} ${name}`] : []),
    ...command.commands.flatMap((below) => pathsBelow(name, below)),
  ];
}

function tooManyArguments(command: Command): string {
  const { length: most } = command.registeredArguments;
  const { length: count } = command.args;
  const given = `${count} ${count === 1 ? 'was' : 'were'} given`;
  if (most === 0) return `too many arguments: ${nameOf(command)} takes none, but ${given}`;
  return `too many arguments: ${nameOf(command)} takes ${most}, but ${given}. Quote arguments with spaces`;
}

function missingArgument(text: string, command: Command): string {
  const missing = command.registeredArguments[command.args.length];
  return missing?.description ? `${text}: ${missing.description}` : text;
}
