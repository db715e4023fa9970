import type { Command } from 'commander';
import { type FactHistoryView, type FactView, shortIds, type UndoneFactView } from '../../api/index.ts';
import { clip, showRunId, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';

export function historyCommands(memory: Command, run: Run): void {
  memory
    .command('history')
    .description('Show all versions of a fact: what superseded what, by whom and from which run')
    .argument('<id>')
    .action((id: string) => answerWith(run, (api) => api.memory.history(id), showHistory));
  memory
    .command('undo')
    .description('Restore the fact that this one superseded; a superseded fact itself is restored')
    .argument('<id>')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka memory history <id>',
        '  oka memory undo <id>',
        '',
        'Nothing is erased: the undone fact stays and links to the restored one.',
      ].join('\n'),
    )
    .action((id: string) => answerWith(run, (api, { by }) => api.memory.undoFact(id, by), showUndone));
}

function showHistory({ versions, changes }: FactHistoryView): string {
  const shown = shortIds([...new Set(changes.map(({ fact }) => fact))]);
  const texts = new Map(versions.map(({ id, text }) => [id, text]));
  const rows = changes.map(({ fact, change, other, by, run, at }) => [
    showTime(at),
    shown(fact),
    other === undefined
      ? change
      : `${change} ${change === 'superseded' ? 'by' : 'instead of'} ${shown(other)}`,
    run === undefined
      ? visible(by)
      : `${by.startsWith('run:') ? '' : `${visible(by)}, `}run ${showRunId(run)}`,
    clip(texts.get(fact) ?? '(erased)', 60),
  ]);
  const valid = versions.filter(({ supersededBy }) => supersededBy === undefined);
  return [
    table(['time (UTC)', 'fact', 'what', 'by', 'text'], rows),
    '',
    ...(valid.length === 0
      ? ['No version is valid now.']
      : valid.map((fact) => `valid now: ${line(fact, shown)}`)),
  ].join('\n');
}

function showUndone({ restored, undone }: UndoneFactView): string {
  const shown = shortIds([...restored.map(({ id }) => id), ...undone]);
  return [
    ...restored.map((fact) => `Restored ${line(fact, shown)}`),
    ...undone.map((id) => `superseded ${shown(id)}; see: oka memory history ${shown(id)}`),
  ].join('\n');
}

function line({ id, text }: FactView, shown: (id: string) => string): string {
  return `${shown(id)}: ${clip(text, 80)}`;
}
