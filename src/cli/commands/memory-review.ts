import type { Command } from 'commander';
import { type ReviewedFactView, shortId, shortIds } from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { clip, showRunId, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';

export function reviewCommand(memory: Command, run: Run): void {
  memory
    .command('review')
    .description('List facts that nobody confirmed, and confirm or reject them')
    .option('--confirm <id>', 'Confirm this fact, so that runs may use it')
    .option('--reject <id>', 'Reject this fact and erase its text permanently')
    .option('--namespace <name>', 'Limit to this namespace')
    .option('--limit <n>', 'Show at most this many', parseCount, 100)
    .addHelpText(
      'after',
      [
        '',
        'Facts of runs that had read untrusted content are quarantined: no other run sees them.',
        'Learned facts are candidates: runs see them, marked as not confirmed. A candidate that a run used with success is',
        'confirmed, unless it contradicts a confirmed fact. A confirmed fact supersedes those that it contradicts.',
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
          ({ fact, superseded }) =>
            [
              `Confirmed ${shortId(fact.id)}: ${visible(fact.text)}`,
              ...superseded.map(
                (id) => `superseded ${shortId(id)}; restore it with: oka memory undo ${shortId(fact.id)}`,
              ),
            ].join('\n'),
        );
      if (reject !== undefined)
        return answerWith(
          run,
          (api, { by }) => api.memory.rejectFact(reject, by).then(() => ({ rejected: reject })),
          ({ rejected }) => `Rejected and erased ${rejected}`,
        );
      return answerWith(run, async (api) => ({ facts: await api.memory.review(filter) }), showReview);
    });
}

interface ReviewOptions {
  readonly confirm?: string;
  readonly reject?: string;
  readonly namespace?: string;
  readonly limit: number;
}

function showReview({ facts }: { readonly facts: readonly ReviewedFactView[] }): string {
  if (facts.length === 0) return 'No facts to review';
  const shown = shortIds(facts.map(({ id }) => id));
  const rows = facts.map((fact) => [
    shown(fact.id),
    fact.status,
    clip(fact.text, 60),
    clip(originOf(fact), 80),
  ]);
  return table(['fact', 'status', 'text', 'from'], rows);
}

function originOf({
  status,
  run,
  origin = 'unknown',
  source = 'unknown',
  contradicts = [],
}: ReviewedFactView): string {
  if (status === 'quarantined') return `run ${showRunId(run ?? '')}, which had read ${origin}`;
  const against = contradicts.map((id) => shortId(id)).join(', ');
  return against === '' ? source : `${source}; contradicts ${against}`;
}
