import { useCallback, useMemo } from 'react';
import { useUrlParam } from '../../state/use-url-param.ts';
import type { Step, TreeRecord } from './record/types.ts';
import type { Moment } from './use-moment.ts';

export interface Selection {
  /** Missing if none is chosen, or if it has not begun at the chosen moment. */
  readonly step?: Step;
  /** The chosen key. */
  readonly key: string;
  /** Chooses a step, or none with an empty key. */
  readonly choose: (key: string) => void;
}

/** The selected step, in the address: its number, with its run if that is a descendant. */
export function useSelectedStep({ tree, isNow }: Moment): Selection {
  const [written, write] = useUrlParam('step');
  const { id } = tree.root;
  const key = written === '' || written.includes('.') ? written : `${id}.${written}`;
  const choose = useCallback(
    (next: string) => write(next.startsWith(`${id}.`) ? next.slice(id.length + 1) : next),
    [id, write],
  );
  return useMemo(() => {
    // An earlier moment shows what happens then.
    const step = key === '' ? (isNow ? undefined : tree.root.steps.at(-1)) : findStep(tree, key);
    return { ...(step !== undefined && { step }), key, choose };
  }, [tree, isNow, key, choose]);
}

function findStep({ runs }: TreeRecord, key: string): Step | undefined {
  const [run = '', number] = key.split('.');
  const wanted = Number(number);
  const steps = runs.get(run)?.steps ?? [];
  return (
    steps.find(({ key: known }) => known === key) ??
    steps.findLast(({ step, last }) => step <= wanted && wanted <= last)
  );
}
