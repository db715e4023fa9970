import { readFileSync, writeFileSync } from 'node:fs';
import { OUTCOMES, type Outcome } from './classify.ts';
import { CELLS, type DamageCell } from './damages.ts';

const DOCUMENT = new URL('../../docs/fault-campaign.md', import.meta.url);
const BETWEEN = /(<!-- damages -->\n)[\s\S]*(<!-- \/damages -->)/;

/** Writes the outcomes into the table of docs/fault-campaign.md. */
export function writeTable(
  results: readonly { readonly cell: DamageCell; readonly outcome: Outcome }[],
): void {
  const count = (cell: DamageCell | undefined, outcome: Outcome): number =>
    results.filter((one) => one.outcome === outcome && (cell === undefined || isSame(one.cell, cell))).length;
  const row = (name: string, cell?: DamageCell): string =>
    `| ${[name, ...OUTCOMES.map((outcome) => count(cell, outcome) || '')].join(' | ')} |`;
  const table = [
    `| damage | ${OUTCOMES.join(' | ')} |`,
    `|---|${OUTCOMES.map(() => '---:').join('|')}|`,
    ...CELLS.map((cell) => row(`${cell.target}: ${cell.kind}`, cell)),
    row(`**all ${results.length}**, seeds 1 to ${results.length}`),
  ].join('\n');
  writeFileSync(DOCUMENT, readFileSync(DOCUMENT, 'utf8').replace(BETWEEN, `$1\n${table}\n\n$2`));
}

function isSame(one: DamageCell, other: DamageCell): boolean {
  return one.target === other.target && one.kind === other.kind;
}
