import type { Command } from 'commander';
import { type QuarantinedFactView, shortId, shortIds } from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { clip, showRunId, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';

export function reviewCommand(memory: Command, run: Run): void {
  memory
    .command('review')
    .description('List quarantined facts, and confirm or reject them')
    .option('--confirm <id>', 'Confirm this fact, so that runs may use it')
    .option('--reject <id>', 'Reject this fact and erase its text permanently')
    .option('--namespace <name>', 'Limit to this namespace')
    .option('--limit <n>', 'Show at most this many', parseCount, 100)
    .addHelpText(
      'after',
      [
        '',
        'Facts of runs that had read untrusted content are quarantined: no other run sees them.',
        '',
        'Examples:',
        '  oka memory review',
        '  oka memory review --confirm <id>',
        '  oka memory review --reject <id>',
      ].join('\n'),
    )
    .action(({ confirm, reject, ...filter }: ReviewOptions) => {
      if (confirm !== undefined)
        return answerWith(
          run,
          (api, { by }) => api.memory.confirmFact(confirm, by),
          ({ fact }) => `Confirmed ${shortId(fact.id)}: ${visible(fact.text)}`,
        );
      if (reject !== undefined)
        return answerWith(
          run,
          (api, { by }) => api.memory.rejectFact(reject, by).then(() => ({ rejected: reject })),
          ({ rejected }) => `Rejected and erased ${rejected}`,
        );
      return answerWith(run, async (api) => ({ facts: await api.memory.review(filter) }), showQuarantined);
    });
}

interface ReviewOptions {
  readonly confirm?: string;
  readonly reject?: string;
  readonly namespace?: string;
  readonly limit: number;
}

function showQuarantined({ facts }: { readonly facts: readonly QuarantinedFactView[] }): string {
  if (facts.length === 0) return 'No quarantined facts';
  const shown = shortIds(facts.map(({ id }) => id));
  const rows = facts.map(({ id, run, text, origin = 'unknown' }) => [
    shown(id),
    showRunId(run),
    clip(text, 60),
    clip(origin, 80),
  ]);
  return table(['fact', 'run', 'text', 'the run had read'], rows);
}
