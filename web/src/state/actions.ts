// Owns: what the command palette offers besides the pages.

import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

export interface Action {
  /** Unique among the shown actions. */
  readonly id: string;
  /** Starts with a verb: "Pause the run". */
  readonly label: string;
  /** Further words that find it. */
  readonly keywords?: readonly string[];
  /** The key that does the same, shown as a hint. */
  readonly shortcut?: string;
  readonly run: () => void;
}

const shown = createStore<readonly (readonly Action[])[]>([]);

/** Offers actions in the command palette while the component is shown. Keep the list in useMemo. */
export function useActions(actions: readonly Action[]): void {
  useEffect(() => {
    shown.set((now) => [...now, actions]);
    return () => shown.set((now) => now.filter((other) => other !== actions));
  }, [actions]);
}

export const useOfferedActions = (): readonly Action[] => useStore(shown).flat();
