import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash-script.ts';
import { fishScript } from '../completion/fish-script.ts';
import { type WordTable, wordTable } from '../completion/word-table.ts';
import { zshScript } from '../completion/zsh-script.ts';
import { EXIT } from '../exit-codes.ts';
import { clip } from '../format.ts';
import { type KindOfThing, NAMED_THINGS, type NamedThing } from '../named-things.ts';
import type { CommandLine } from '../repl/run-command.ts';
import type { Run } from '../run.ts';

const SCRIPTS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const satisfies Readonly<Record<string, (table: WordTable) => string>>;

const LONGEST_ABOUT = 60;
/** Names that mean nothing else to a shell. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}._@+/-]*$/u;

/** A script for the shell of a person, made of the commands themselves. */
export function completionCommand(program: Command, run: Run, commandLine: CommandLine): void {
  program
    .command('completion')
    .description('a script that lets your shell complete commands, options and names')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(SCRIPTS)))
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
        'Then open a new shell. Runs, graphs, agents, conversations and the like are looked up when you press Tab.',
      ].join('\n'),
    )
    .action((shell: keyof typeof SCRIPTS) =>
      run(async (context) => {
        const all = await commandLine.programFor([], async () => undefined);
        const script = SCRIPTS[shell](wordTable(all));
        context.printer.answer({ shell, script }, (data) => data.script);
        return EXIT.ok;
      }),
    );
}

/** What the scripts ask: the names of what there is, a line each. It never complains, as nobody could read that. */
export function completeCommand(program: Command, run: Run): void {
  program
    .command('complete', { hidden: true })
    .description('what a completion script asks: the names of what there is, one a line')
    .addArgument(new Argument('<kind>').choices(Object.keys(NAMED_THINGS)))
    .action((kind: KindOfThing) =>
      run(async (context) => {
        const things: readonly NamedThing[] = await context
          .open()
          .then(NAMED_THINGS[kind])
          .catch(() => []);
        context.printer.answer({ things }, () => things.flatMap(toLine).join('\n'));
        return EXIT.ok;
      }),
    );
}

function toLine({ name, about = '' }: NamedThing): readonly string[] {
  return PLAIN.test(name) ? [`${name}\t${clip(about, LONGEST_ABOUT)}`] : [];
}
