import { type ChatErasure, stopRun } from '../../chat/index.ts';
import type { ExecutionBackend, RunId } from '../../engine/index.ts';
import type { EventAddress } from '../../ledger/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

/** Erases conversations, and what runs hold of them, from a ledger. */
export function chatErasure(
  ledger: OpenLedger,
  backend: () => Promise<ExecutionBackend>,
  erase: (events: readonly EventAddress[], by: string, reason: string) => Promise<void>,
): ChatErasure {
  return {
    bodiesOf: async (streams) => {
      const events = await Promise.all(streams.map((stream) => ledger.events.read(stream)));
      return events
        .flat()
        .flatMap(({ stream, index, body }) => (body === undefined ? [] : [{ stream, index }]));
    },
    streamsOfRun: async (run) =>
      (await ledger.runs.list({ root: run as RunId })).map(({ id }) => `run/${id}`),
    erase: async (events, by, reason) => {
      if (events.length > 0) await erase(events, by, reason);
    },
    stop: async (runs, by, reason) => {
      for (const run of runs) await stopRun(await backend(), run, { by, reason });
    },
  };
}
