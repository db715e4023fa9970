import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Context, type GlobalOptions, usageProblem } from '../context.ts';
import type { CommandLine } from '../repl/run-command.ts';
import type { Run } from '../run.ts';

export function replCommand(program: Command, _run: Run, commandLine: CommandLine): void {
  program
    .command('repl')
    .description('Start a session with an agent; same as oka without arguments')
    .option('--agent <name>', 'Talk with this agent', 'anton')
    .option('--resume', 'Resume the last session')
    .addHelpText('after', '\nExamples:\n  oka\n  oka --resume\n  oka repl --agent ada')
    .action(async (options: { agent: string; resume?: boolean }) => {
      const global = program.opts<GlobalOptions>();
      if (!process.stdin.isTTY || !process.stdout.isTTY)
        throw usageProblem('A session needs a terminal. Without one, use: oka do "<goal>", or oka chat.');
      const { Repl } = await import('../repl/repl.ts');
      // The session handles signals itself: Ctrl-C cancels the current turn only.
      const context = new Context({}, global.C === undefined ? process.cwd() : resolve(global.C));
      const session = { agent: options.agent, resume: options.resume ?? false };
      let signal: NodeJS.Signals | undefined;
      try {
        signal = await Repl.run(context, commandLine, session);
      } finally {
        await context.close();
      }
      // Report the signal to the parent process.
      if (signal !== undefined) process.kill(process.pid, signal);
    });
}
