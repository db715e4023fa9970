import { resolve } from 'node:path';
import type { Command } from 'commander';
import { OkaError } from '../../api/index.ts';
import type { GlobalOptions } from '../context.ts';
import type { CommandLine } from '../repl/run-command.ts';
import type { Run } from '../run.ts';

/** A session with an agent, which `oka` alone opens on a terminal. */
export function replCommand(program: Command, _run: Run, commandLine: CommandLine): void {
  program
    .command('repl')
    .description('talk with an agent; the same as oka alone on a terminal')
    .option('--agent <name>', 'with whom', 'anton')
    .option('--resume', 'go on with the last session')
    .addHelpText('after', '\nExamples:\n  oka\n  oka --resume\n  oka repl --agent ada')
    .action(async (options: { agent: string; resume?: boolean }) => {
      const global = program.opts<GlobalOptions>();
      if (!process.stdin.isTTY || !process.stdout.isTTY)
        throw new OkaError(
          'cli.usage',
          'talking needs a terminal; without one, use: oka do "<goal>", or oka chat.',
        );
      const { Repl } = await import('../repl/repl.ts');
      const { TalkContext } = await import('../repl/talk-context.ts');
      // Signals are its own: Ctrl-C cancels what is being answered, and the session goes on.
      const context = new TalkContext({}, resolve(global.C ?? '.'));
      const talk = { agent: options.agent, resume: options.resume ?? false };
      const signal = await Repl.run(context, commandLine, talk).finally(() => context.close());
      // Whoever started it sees that it was a signal that ended it.
      if (signal !== undefined) process.kill(process.pid, signal);
    });
}
