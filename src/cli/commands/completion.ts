import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash-script.ts';
import { fishScript } from '../completion/fish-script.ts';
import { type WordTable, wordTable } from '../completion/word-table.ts';
import { zshScript } from '../completion/zsh-script.ts';
import { clip } from '../format.ts';
import { type KindOfThing, NAMED_THINGS, type NamedThing } from '../named-things.ts';
import type { CommandLine } from '../repl/run-command.ts';
import type { Run } from '../run.ts';

const SCRIPTS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const satisfies Readonly<Record<string, (table: WordTable) => string>>;

const MAX_ABOUT_LENGTH = 60;
/** Names that need no quoting in a shell. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}._@+/-]*$/u;

export function completionCommand(program: Command, run: Run, commandLine: CommandLine): void {
  program
    .command('completion')
    .description('Print a script that completes commands, options and names in your shell')
    .addArgument(new Argument('<shell>', 'Shell: bash, zsh or fish').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  bash, in ~/.bashrc:',
        '    source <(oka completion bash)',
        '  zsh, in ~/.zshrc after compinit:',
        '    source <(oka completion zsh)',
        '  fish, once:',
        '    oka completion fish > ~/.config/fish/completions/oka.fish',
        '',
        'Then open a new shell. Names of runs, graphs, agents and conversations are looked up when you press Tab.',
      ].join('\n'),
    )
    .action((shell: keyof typeof SCRIPTS) =>
      run(async (context) => {
        const all = await commandLine.programFor([], async () => undefined);
        const script = SCRIPTS[shell](wordTable(all));
        context.printer.answer({ shell, script }, (data) => data.script);
      }),
    );
}

/** Called by the completion scripts. Prints no errors, because the shell would mix them into the line. */
export function completeCommand(program: Command, run: Run): void {
  program
    .command('complete', { hidden: true })
    .description('Print existing names for a completion script, one per line')
    .addArgument(new Argument('<kind>').choices(Object.keys(NAMED_THINGS)))
    .action((kind: KindOfThing) =>
      run(async (context) => {
        const things: readonly NamedThing[] = await context
          .open()
          .then(NAMED_THINGS[kind])
          .catch(() => []);
        context.printer.answer({ things }, () => things.flatMap(toLine).join('\n'));
      }),
    );
}

function toLine({ name, about = '' }: NamedThing): readonly string[] {
  return PLAIN.test(name) ? [`${name}\t${clip(about, MAX_ABOUT_LENGTH)}`] : [];
}
