import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useStore } from '../state/store.ts';
import type { PageEntry } from './page-entry.ts';
import { paletteOpen } from './palette-state.ts';

const Palette = lazy(() => import('./palette.tsx'));

/** Opens the command palette by Ctrl-K or Cmd-K. It is loaded when it is first opened. */
export function PaletteHost({ pages }: { readonly pages: readonly PageEntry[] }): ReactNode {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      paletteOpen.set((isOpen) => !isOpen);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return useStore(paletteOpen) ? (
    <Suspense>
      <Palette pages={pages} />
    </Suspense>
  ) : null;
}
