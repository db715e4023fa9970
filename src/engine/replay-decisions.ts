import { canonicalJson, type Json, withoutTags } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { pinnedGraph } from './new-run.ts';
import { type ReplayedDecision, type ReplayedStep, replayRun } from './replay-run.ts';

export interface ReplayDifference {
  readonly step: number;
  readonly recorded: Json;
  readonly replayed: Json;
}

export interface ReplayReport {
  readonly mode: 'narrative' | 'decision' | 'full';
  readonly compared: number;
  readonly differences: readonly ReplayDifference[];
  readonly notes: readonly string[];
}

/** Calls the planner again at every decision, with the evidence of that moment; `full` makes calls again too. */
export async function replayDecisions(
  events: readonly LedgerEvent[],
  kind: RunKind,
  parts: EngineParts,
  mode: 'decision' | 'full' = 'decision',
): Promise<ReplayReport> {
  if (!kind.planner.deterministic) {
    const note = `the planner ${kind.planner.name} is not deterministic, so its decisions cannot be compared`;
    return { mode, compared: 0, differences: [], notes: [note] };
  }
  const differences: ReplayDifference[] = [];
  const notes = new Set<string>();
  const planner = `${kind.planner.name}/${kind.planner.version}`;
  let compared = 0;
  const replay = replayRun(events, {
    kind,
    parts,
    graph: ({ pins }) => {
      if (pins.planner !== planner)
        notes.add(
          `recorded by ${pins.planner}, replayed by ${planner}: the newer planner may decide otherwise`,
        );
      return pinnedGraph(pins, kind, parts);
    },
    execute: mode === 'full',
  });
  for await (const one of replay) {
    const note = noteOn(one);
    if (note !== undefined) notes.add(note);
    if (one.kind === 'erased' || one.replayed === undefined) continue;
    compared += 1;
    const { step, recorded, replayed } = one;
    if (withoutTags(canonicalJson(recorded)) !== withoutTags(canonicalJson(replayed)))
      differences.push({ step, recorded, replayed });
  }
  return { mode, compared, differences, notes: [...notes] };
}

/** Whether a model would get another request for a decision now. */
export function asksOtherwise({ model }: ReplayedDecision): boolean {
  return model !== undefined && model.replayed?.requestDigest !== model.recorded.requestDigest;
}

function noteOn(one: ReplayedStep): string | undefined {
  switch (one.kind) {
    case 'erased':
      return `step ${one.step}: its content was erased, so it is not compared`;
    case 'outcome':
      return one.replayed === undefined ? `${one.tool} returned its recorded output` : undefined;
    case 'decision':
      return asksOtherwise(one)
        ? `step ${one.step}: today the model would be asked another question`
        : undefined;
  }
}
