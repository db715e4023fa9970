import type { Argument, Command, Option } from 'commander';
import { type KindOfThing, kindOfArgument } from '../named-things.ts';

/** A position on the command line and its candidates. */
export interface WordSlot {
  /** The commands before it, such as `graph run`; empty for `oka` itself. */
  readonly path: string;
  /** `-` for options, an option for its value, a number for an argument, counted from 0. */
  readonly place: string;
  readonly words: readonly { readonly word: string; readonly about: string }[];
  /** Existing names of this kind are candidates too. */
  readonly things?: KindOfThing;
  readonly files?: 'files' | 'folders';
}

export interface WordTable {
  readonly slots: readonly WordSlot[];
  readonly paths: readonly string[];
  /** Options that take a value. */
  readonly valued: readonly string[];
}

const FILES = ['file', 'graph', 'node', 'path'];

export function wordTable(program: Command): WordTable {
  const commands = withDescendants(program).map((command) => ({ command, path: pathOf(command) }));
  const options = commands.flatMap(({ command }) => command.options);
  return {
    slots: commands.flatMap(({ command, path }) => slotsOf(command, path, program)),
    paths: commands.flatMap(({ path }) => (path === '' ? [] : [path])),
    valued: [...new Set(options.filter(({ required }) => required).flatMap(namesOf))].sort(),
  };
}

function withDescendants(command: Command): Command[] {
  return [command, ...visibleSubcommands(command).flatMap(withDescendants)];
}

function visibleSubcommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function pathOf(command: Command): string {
  if (!command.parent) return '';
  return `${pathOf(command.parent)} ${command.name()}`.trimStart();
}

function slotsOf(command: Command, path: string, program: Command): WordSlot[] {
  const own = command.options.filter(({ hidden }) => !hidden);
  const everywhere = command === program ? [] : program.options.filter(({ long }) => long !== '--version');
  const help = { word: '--help', about: 'Show help' };
  const below = visibleSubcommands(command).map((one) => ({ word: one.name(), about: one.description() }));
  const values = own
    .filter(({ required, optional }) => required || optional)
    .flatMap((option) => namesOf(option).map((place) => ({ place, ...candidatesOf(option, command) })));
  const positions = command.registeredArguments.map((argument, at) => ({
    place: String(at),
    ...candidatesOf(argument, command),
  }));
  const slots = [
    { place: '-', words: [...[...own, ...everywhere].map(optionWord), help] },
    { place: '0', words: below },
    ...values,
    ...positions,
  ];
  return slots.map((slot) => ({ path, ...slot })).filter(hasCandidates);
}

function hasCandidates({ words, things, files }: WordSlot): boolean {
  return words.length > 0 || things !== undefined || files !== undefined;
}

function optionWord({ long, short, flags, description }: Option): WordSlot['words'][number] {
  return { word: long ?? short ?? flags, about: description };
}

function namesOf({ short, long }: Option): readonly string[] {
  return [short, long].filter((name) => name !== undefined);
}

function candidatesOf(
  value: Argument | Option,
  command: Command,
): Pick<WordSlot, 'words' | 'things' | 'files'> {
  const words = (value.argChoices ?? []).map((word) => ({ word, about: '' }));
  const name = valueName(value);
  const agents = 'flags' in value && value.long === '--agent';
  const things = agents ? 'agent' : kindOfArgument(name, command);
  return {
    words,
    ...(things === undefined ? {} : { things }),
    ...(name === 'dir'
      ? { files: 'folders' as const }
      : FILES.includes(name)
        ? { files: 'files' as const }
        : {}),
  };
}

/** `run` for `<run>` and for `--run <run>`. */
function valueName(value: Argument | Option): string {
  return 'flags' in value ? (/[<[]([^>\].]+)/.exec(value.flags)?.[1] ?? '') : value.name();
}
