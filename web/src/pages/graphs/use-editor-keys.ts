import { useEffect, useRef } from 'react';

interface EditorKeys {
  readonly undo: () => void;
  readonly redo: () => void;
  readonly save: () => void;
}

/** Ctrl+Z, Ctrl+Shift+Z and Ctrl+S, also in fields: every edit of a field is a step of the one history. */
export function useEditorKeys(keys: EditorKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return;
      const action = actionOf(event);
      if (action === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current[action]();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

function actionOf({ key, shiftKey }: KeyboardEvent): keyof EditorKeys | undefined {
  switch (key.toLowerCase()) {
    case 'z':
      return shiftKey ? 'redo' : 'undo';
    case 'y':
      return 'redo';
    case 's':
      return shiftKey ? undefined : 'save';
    default:
      return undefined;
  }
}
