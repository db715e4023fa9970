import { useState } from 'react';
import type { LedgerEvent } from '../../api/events.ts';
import { useLedgerEvents, useTextEvents } from '../../api/live.ts';

/** The text that each run has streamed since its last tool call, and the runs that were seen to start. */
export interface LiveText {
  readonly texts: ReadonlyMap<string, string>;
  readonly started: ReadonlySet<string>;
}

export function useLiveText(conversation: string): LiveText {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [started, setStarted] = useState<ReadonlySet<string>>(new Set());
  useTextEvents((piece) => {
    const run = piece.root ?? piece.run;
    if (piece.conversation !== conversation || run === undefined) return;
    setTexts((now) => new Map(now).set(run, (now.get(run) ?? '') + piece.text));
  });
  useLedgerEvents((event) => {
    if (event.conversation !== conversation) return;
    const run = event.root ?? event.run;
    if (run === undefined) return;
    if (event.type === 'run.started') setStarted((now) => new Set(now).add(run));
    // Text before a call says why the call is made. The step shows it.
    if (isCall(event)) setTexts((now) => new Map(now).set(run, ''));
  });
  return { texts, started };
}

function isCall({ type, data }: LedgerEvent): boolean {
  if (type === 'tool.intended' || type === 'approval.requested') return true;
  return type === 'step.completed' && (data as { kind?: string } | null)?.kind === 'call_tool';
}
