import type { EpochMs, Json } from '../../kernel/index.ts';
import type { EventDraft, LedgerEvent } from '../../ledger/index.ts';

const PREFIX = 'state/';

/** The stream that holds what a graph remembers from run to run. */
export function graphStateStream(graph: string): string {
  return `${PREFIX}${graph}`;
}

/** The event that a key got a value. */
export function stateWritten(write: {
  readonly key: string;
  readonly value: Json;
  readonly run: string;
  readonly step: number;
}): EventDraft {
  const { key, value, run, step } = write;
  return { type: 'state.written', data: { key, run, step }, body: { value } };
}

/** One value that a key had. */
export interface StateValue {
  readonly key: string;
  readonly value: Json;
  readonly at: EpochMs;
  readonly run: string;
}

/** What an event wrote, and for which graph; undefined when the value was erased. */
export function writtenState(event: LedgerEvent): {
  readonly graph: string;
  readonly written: StateValue | undefined;
} {
  const graph = event.stream.slice(PREFIX.length);
  const { key, run } = event.data as { key: string; run: string };
  const body = event.body as { value: Json } | undefined;
  return { graph, written: body && { key, value: body.value, at: event.at, run } };
}
