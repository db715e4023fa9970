import { useEffect, useRef } from 'react';

export type Shortcuts = Readonly<Record<string, () => void>>;

/** Calls a function when its key is pressed, such as `j`, `Enter` or `?`. Keys typed into a field or an open dialog do nothing. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isBusy(event.target, event.key)) return;
      const action = latest.current[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function isBusy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (
    target.closest(
      'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"]',
    )
  )
    return true;
  return key === 'Enter' && target.closest('a, button, summary') !== null;
}
