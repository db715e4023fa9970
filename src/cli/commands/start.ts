import type { Command } from 'commander';
import { exitOfRun } from '../exit-codes.ts';
import { showBytes } from '../format.ts';
import { PATIENCE_MS } from '../go-on.ts';
import type { Run } from '../run.ts';
import { liveTimeline } from '../timeline.ts';

const GOAL = 'write a brief of this folder to BRIEF.md';

/** What `npm start` runs: one real job on this very folder, then what to look at next. */
export function startCommand(program: Command, run: Run): void {
  program
    .command('start', { hidden: true })
    .description('run a real job on this folder, then say how to look into it')
    .option('--once', 'end when the job is done')
    .action(() =>
      run(async (context) => {
        const { printer } = context;
        const { colors } = printer;
        const api = await context.open();
        await api.init({ trust: true });
        printer.message(`${colors.bold('Oka')} works on this folder: ${GOAL}\n`);
        const answer = await api.do({
          goal: GOAL,
          simulate: false,
          budgets: {},
          patienceMs: PATIENCE_MS,
          onEvent: liveTimeline(printer),
        });
        const { run: done } = answer;
        printer.answer(answer, () => {
          const [brief] = done.artifacts.slice(-1);
          return [
            '',
            done.status === 'completed'
              ? `Done: ${brief?.name ?? 'BRIEF.md'}, ${showBytes(brief?.bytes ?? 0)}.`
              : `It ${done.status}: ${done.failure?.message ?? done.waitingFor?.detail ?? ''}`,
            '',
            'Every decision is on record. Try:',
            `  npx oka runs explain ${done.id}      why it did what it did`,
            `  npx oka runs replay ${done.id}       the story; --as decision asks the planner again, --as full runs it beside your files`,
            `  npx oka runs undo ${done.id}         put the files back`,
            '  npx oka ledger verify                                prove that nothing was changed since',
            '  npx oka do "<your goal>"                             your own goal',
          ].join('\n');
        });
        return exitOfRun(done);
      }),
    );
}
