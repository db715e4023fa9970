// Owns: what models write, by run. It is kept outside of pages, because an answer may begin before the page that shows it is there.

import { createStore, type Store } from '../state/store.ts';
import type { EventStream, LedgerEvent } from './events.ts';

export interface LiveText {
  /** What was written since the last tool call. */
  readonly text: string;
  /** False if the beginning was written before this app was open. */
  readonly isWhole: boolean;
}

export type LiveTexts = ReadonlyMap<string, LiveText>;

/** More runs than these are forgotten, the oldest first. */
const MAX_RUNS = 100;

/** Collects the text of each run tree that belongs to a conversation. A run that has started has an entry. */
export function collectTexts(stream: Pick<EventStream, 'onText' | 'onLedger'>): Store<LiveTexts> {
  const store = createStore<LiveTexts>(new Map());
  const put = (run: string, change: (now: LiveText | undefined) => LiveText): void =>
    store.set((now) => {
      const next = new Map(now).set(run, change(now.get(run)));
      const [oldest] = next.keys();
      if (next.size > MAX_RUNS && oldest !== undefined) next.delete(oldest);
      return next;
    });
  stream.onText(({ run, root = run, conversation, text }) => {
    if (conversation === undefined || root === undefined) return;
    put(root, (now) => ({ text: (now?.text ?? '') + text, isWhole: now?.isWhole ?? false }));
  });
  stream.onLedger((event) => {
    const { run, root = run, conversation } = event;
    if (conversation === undefined || root === undefined) return;
    // Text before a call says why the call is made. The step shows it.
    if (isCall(event)) put(root, () => ({ text: '', isWhole: true }));
    else if (event.type === 'run.started') put(root, (now) => now ?? { text: '', isWhole: true });
  });
  return store;
}

function isCall({ type, data }: LedgerEvent): boolean {
  if (type === 'tool.intended' || type === 'approval.requested') return true;
  return type === 'step.completed' && (data as { kind?: string } | null)?.kind === 'call_tool';
}
