import { createRedactor, type Json } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import { Engine, type EngineOptions } from './engine.ts';
import { foldRun } from './fold-run.ts';
import { requireKind } from './new-run.ts';
import type { ArtifactStore } from './ports.ts';
import { type ReplayReport, replayDecisions } from './replay-decisions.ts';
import { plainContext, type ToolContext } from './tool.ts';
import type { RunId } from './types.ts';

type OverlayOptions = Pick<
  EngineOptions,
  'tools' | 'kinds' | 'artifacts' | 'capabilities' | 'clock' | 'redactor'
>;

/**
 * Repeats the decisions of a run and makes its calls again in isolation: tools that read or change files run on the overlay
 * that `options.capabilities` must provide; all others return the recorded outcome. Nothing is written or sent.
 */
export async function replayFully(
  recorded: readonly LedgerEvent[],
  options: OverlayOptions,
): Promise<ReplayReport> {
  const run = foldRun(recorded);
  if (run === undefined) return { mode: 'full', compared: 0, differences: [], notes: ['no events'] };
  if (recorded.some((event) => event.bodyErased)) {
    const note = 'content of this run was erased, so it cannot be executed again';
    return { mode: 'full', compared: 0, differences: [], notes: [note] };
  }
  await undoOnOverlay(recorded, options);
  const { parts } = new Engine(options);
  return replayDecisions(recorded, requireKind(run.kind, parts), parts, 'full');
}

/** Undoes the run's changes on the overlay, so that the replay starts from the same files. */
async function undoOnOverlay(recorded: readonly LedgerEvent[], options: OverlayOptions): Promise<void> {
  const tools = new Map([...options.tools].map((tool) => [tool.name, tool]));
  for (const event of [...recorded].reverse()) {
    if (event.type !== 'tool.intended') continue;
    const { input, preimage } = (event.body ?? {}) as { input?: Json; preimage?: Json };
    const tool = tools.get(event.data['tool'] as string);
    if (preimage === undefined || input === undefined || !tool?.simulatable) continue;
    await tool.undo?.({ input, preimage, force: true }, replayContext(event, options));
  }
}

function replayContext(event: LedgerEvent, options: OverlayOptions): ToolContext {
  return plainContext({
    runId: event.stream.slice('run/'.length) as RunId,
    step: event.data['step'] as number,
    use: 'replay',
    capabilities: options.capabilities ?? {},
    artifacts: options.artifacts as ArtifactStore,
    redactor: options.redactor ?? createRedactor(),
    now: () => event.at,
  });
}
