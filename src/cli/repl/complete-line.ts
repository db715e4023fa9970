import type { Argument, Command } from 'commander';
import { type KindOfThing, kindOfArgument } from '../named-things.ts';

export type NameSources = (kind: KindOfThing) => Promise<readonly string[]>;

type Completion = readonly [found: readonly string[], part: string];

/** Completes commands after a slash and agents after an @. */
export async function completeLine(
  line: string,
  program: Command,
  names: NameSources,
  own: readonly string[],
): Promise<Completion> {
  if (line.startsWith('/')) return completeCommand(line.slice(1), program, names, own);
  const mention = /(?:^|\s)@([\p{L}\p{N}_-]*)$/u.exec(line)?.[1];
  return mention === undefined ? [[], line] : matching(await names('agent'), mention);
}

async function completeCommand(
  line: string,
  program: Command,
  names: NameSources,
  own: readonly string[],
): Promise<Completion> {
  const words = line.split(/\s+/);
  const part = words.pop() ?? '';
  if (words.length === 0) return matching([...own, ...namesOf(program)], part);
  if (words[0] === 'resume' && words.length === 1) return matching(await names('conversation'), part);
  if (words[0] === 'help' && words.length === 1) return matching(namesOf(program), part);
  let command = program;
  let given = 0;
  for (const word of words) {
    const child = command.commands.find((one) => one.name() === word);
    if (child && given === 0) command = child;
    else if (!word.startsWith('-')) given += 1;
  }
  if (command === program) return [[], part];
  if (part.startsWith('-')) return matching(optionsOf(command, program), part);
  const option = words.at(-1) ?? '';
  const named = option.startsWith('--') ? option.slice(2) : argumentAt(command, given)?.name();
  const kind = named === undefined ? undefined : kindOfArgument(named, command);
  const found = kind === undefined ? [] : await names(kind);
  return matching([...(given === 0 ? namesOf(command) : []), ...found], part);
}

function namesOf(command: Command): readonly string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name())
    .filter((name) => name !== 'help');
}

function optionsOf(command: Command, program: Command): readonly string[] {
  return [...command.options, ...program.options].flatMap(({ long }) => long ?? []);
}

function argumentAt(command: Command, index: number): Argument | undefined {
  const { registeredArguments: all } = command;
  return all[index] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
}

/** Appends a space to a single match. */
function matching(candidates: readonly string[], part: string): Completion {
  const found = [...new Set(candidates)].filter((name) => name.startsWith(part)).sort();
  return [found.length === 1 ? found.map((name) => `${name} `) : found, part];
}
