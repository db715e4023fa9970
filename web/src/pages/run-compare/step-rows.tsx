import { type ReactNode, useEffect, useMemo } from 'react';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Checkbox } from '../../parts/field.tsx';
import { plural } from '../../parts/format.ts';
import { useActions } from '../../state/actions.ts';
import { useShortcuts } from '../../state/use-shortcuts.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { isDifference, type Row } from './align-steps.ts';
import { StepRow } from './step-row.tsx';

/** The aligned steps. `n` and `p` open the next and the previous difference; which one is open is in the address. */
export function StepRows({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  const [at, setAt] = useUrlParam('at');
  const [only, setOnly] = useUrlParam('only');
  const open = at === '' ? -1 : Number(at) - 1;
  const differences = useMemo(() => rows.flatMap((row, i) => (isDifference(row) ? [i] : [])), [rows]);
  const next = (): void => show(differences.find((i) => i > open) ?? differences.at(-1));
  const previous = (): void => show(differences.findLast((i) => i < open) ?? differences[0]);
  const show = (index: number | undefined): void => {
    if (index !== undefined) setAt(String(index + 1));
  };
  useShortcuts({ n: next, p: previous });
  useActions(
    useMemo(
      () => [
        {
          id: 'compare.first',
          label: 'Show the first difference',
          run: () => setAt(String((differences[0] ?? 0) + 1)),
        },
        { id: 'compare.only', label: 'Show only differences', run: () => setOnly('differences') },
        { id: 'compare.all', label: 'Show all steps', run: () => setOnly('') },
      ],
      [differences, setAt, setOnly],
    ),
  );
  useEffect(() => {
    if (open >= 0) document.getElementById(`pair-${open}`)?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const toggle = (index: number): void => setAt(index === open ? '' : String(index + 1));
  const title = `${plural(rows.length, 'step')}, ${plural(differences.length, 'difference')}`;
  return (
    <div className="compare-steps">
      <Card
        flush
        title={title}
        actions={
          <>
            <Checkbox
              label="Only differences"
              checked={only !== ''}
              onChange={(event) => setOnly(event.target.checked ? 'differences' : '')}
            />
            <Button onClick={previous} disabled={differences.length === 0}>
              Previous <kbd>p</kbd>
            </Button>
            <Button onClick={next} disabled={differences.length === 0}>
              Next <kbd>n</kbd>
            </Button>
          </>
        }
      >
        {only !== '' && differences.length === 0 && <EmptyState title="Every step is the same" />}
        <ol className="compare-pairs">
          {rows.map(
            (row, i) =>
              (only === '' || isDifference(row)) && (
                <StepRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no other identity than its place.
                  key={i}
                  row={row}
                  index={i}
                  isFirst={i === differences[0]}
                  isOpen={i === open}
                  onToggle={toggle}
                />
              ),
          )}
        </ol>
      </Card>
    </div>
  );
}
