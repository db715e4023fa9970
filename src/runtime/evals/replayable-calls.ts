import { applyRunEvent, type RunState } from '../../engine/index.ts';
import { asObject, type Json } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';

/** A call that was made, and its recorded output or failure. */
interface MadeCall {
  readonly tool: string;
  readonly input: Json;
  readonly outcome: Json;
}

/** Every call of a run with a recorded outcome, in order. */
export function* replayableCalls(events: readonly LedgerEvent[]): Generator<MadeCall> {
  let run: RunState | undefined;
  for (const event of events) {
    const before = run?.evidence.length ?? 0;
    const isSettled = ['step.completed', 'tool.completed', 'tool.failed'].includes(event.type);
    run = applyRunEvent(run, event);
    if (!isSettled || event.data['outcome'] === 'refused') continue;
    for (const { source, tool, input, output, failure } of run.evidence.slice(before))
      if (source === 'tool' && tool !== undefined)
        yield {
          tool,
          input: input ?? null,
          outcome: failure === undefined ? { output: output ?? null } : asObject({ failure } as never),
        };
  }
}
