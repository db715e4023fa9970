import type { Command } from 'commander';
import type { DroppedItemView, PackAnswer } from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { clip, table } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

export function packCommand(memory: Command, run: Run): void {
  memory
    .command('pack')
    .description('Preview the memory that a run for this goal would get')
    .argument('<goal>')
    .option('--cap <tokens>', 'Limit the pack to this many estimated tokens', parseCount)
    .option('--agent <name>', 'Preview for this agent')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka memory pack "prepare the release"',
        '  oka memory pack "prepare the release" --cap 1000 --json',
        '',
        'Sends and records nothing. Token counts are upper estimates.',
      ].join('\n'),
    )
    .action((goal: string, options: { cap?: number; agent?: string }) =>
      run(async (context) => {
        const answer = await (await context.open()).memoryPack.preview({ goal, ...options });
        context.printer.answer(answer, showPack);
        for (const { source, what } of answer.faults)
          context.printer.message(`Source ${source} failed: ${visible(what)}`);
      }),
    );
}

function showPack({ items, dropped, tokens, cap }: PackAnswer): string {
  const rows = items.map((item) => [
    item.kind,
    item.score.toFixed(2),
    String(item.tokens),
    clip(item.id, 30),
    clip(`${marks(item)}${item.text}`, 80),
  ]);
  return [
    items.length === 0 ? 'No matching memory' : table(['kind', 'score', 'tokens', 'id', 'text'], rows),
    '',
    `${tokens} of at most ${cap} tokens in ${items.length} items; ${dropped.length} dropped`,
    ...[...tally(dropped)].map(([what, count]) => `  ${count} × ${what}`),
  ].join('\n');
}

function marks({ pinned, untrusted, unconfirmed, note, cut }: PackAnswer['items'][number]): string {
  const found = [
    pinned && 'pinned',
    untrusted && 'untrusted',
    unconfirmed && 'not confirmed',
    note,
    cut && `cut by ${cut}`,
  ].filter(Boolean);
  return found.length === 0 ? '' : `(${found.join(', ')}) `;
}

const REASONS: Record<DroppedItemView['why'], string> = {
  cap: 'over the cap',
  limit: 'over the limit for its kind',
  duplicate: 'duplicate',
  empty: 'empty',
  gone: 'erased',
};

function tally(dropped: readonly DroppedItemView[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, why } of dropped) {
    const what = `${kind}: ${REASONS[why]}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}
