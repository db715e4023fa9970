// Owns: making a recorded run, with its children, a case.
import { taskGraphOf } from '../../assistant/index.ts';
import {
  applyRunEvent,
  asksOtherwise,
  type Engine,
  isLargeOutput,
  type RunState,
} from '../../engine/index.ts';
import { type Acceptance, type CaseRun, type EvalCase, newCase, toCaseEvent } from '../../eval/index.ts';
import { asObject, type Digest, type Json, type JsonObject, OkaError } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { PACK, type ReadPackText } from '../../memory/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { CurrentModels } from './current-models.ts';
import { filesBefore } from './files-before.ts';
import { Blobs, type EvalServices, openEvalEngine, replayCaseRun } from './replay-case.ts';

interface RecordedRun {
  readonly state: RunState;
  readonly events: readonly LedgerEvent[];
}

/** A run as a case, and what is worth knowing about it. Refuses runs that have not ended and erased ones. */
export async function recordCase(
  services: EvalServices & { readonly ledger: () => OpenLedger },
  engine: Engine,
  id: string,
  name: string,
): Promise<{ readonly made: EvalCase; readonly notes: readonly string[] }> {
  const root = await readRun(engine, id);
  requireReplayable(root);
  const all = [root, ...(await descendants(services.ledger(), engine, id))];
  const blobs = new Blobs();
  const runs: CaseRun[] = [];
  for (const { state, events } of all) {
    await keepBlobs(events, state, engine, blobs);
    const copied = await Promise.all(events.map((event) => withPackTexts(toCaseEvent(event), services)));
    const { parent } = state.lineage;
    runs.push({ id: state.id, ...(parent === undefined ? {} : { parent }), expected: [], events: copied });
  }
  const notes = await expect(services, runs, all, blobs);
  const files = await filesBefore(
    all.flatMap(({ events }) => events),
    engine.parts.artifacts,
    blobs,
  );
  const { state } = root;
  const made = newCase({
    name,
    recorded: {
      run: state.id,
      kind: state.kind,
      goal: state.goal,
      status: (state.ended as NonNullable<RunState['ended']>).status,
      at: state.startedAt,
      used: { ...state.used } as Record<string, number>,
    },
    acceptance: acceptanceOf(root),
    runs,
    ...(Object.keys(files).length === 0 ? {} : { files }),
    blobs: blobs.texts,
  });
  return { made: services.redactor.known(made as unknown as Json) as unknown as EvalCase, notes };
}

async function readRun(engine: Engine, id: string): Promise<RecordedRun> {
  return { state: await engine.load(id), events: await engine.events(id) };
}

function requireReplayable({ state, events }: RecordedRun): void {
  const { id } = state;
  if (state.ended === undefined) {
    const message = `Run ${id} has not ended, so it cannot be a case. See what it waits for: oka runs show ${id}.`;
    throw new OkaError('eval.not_ended', message, { data: { run: id } });
  }
  if (!events.some(({ bodyErased }) => bodyErased)) return;
  const message = `Content of run ${id} was erased, so it cannot be replayed. Choose another run: oka runs list.`;
  throw new OkaError('eval.erased', message, { data: { run: id } });
}

/** The child runs of a run, and theirs. An erased child stays out: its parent has the recorded result. */
async function descendants(ledger: OpenLedger, engine: Engine, id: string): Promise<RecordedRun[]> {
  const found: RecordedRun[] = [];
  const children = [...(await ledger.runs.list({ parent: id as never }))].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  for (const child of children) {
    const run = await readRun(engine, child.id);
    if (!run.events.some(({ bodyErased }) => bodyErased)) found.push(run);
    found.push(...(await descendants(ledger, engine, child.id)));
  }
  return found;
}

/** Keeps the graphs of a run, and the outputs that were too large for its events. */
async function keepBlobs(
  events: readonly LedgerEvent[],
  state: RunState,
  engine: Engine,
  blobs: Blobs,
): Promise<void> {
  const digests = new Set<string>([state.pins.graph]);
  for (const { data, body, type } of events) {
    const { pins } = data as { pins?: { graph: string } };
    if (pins !== undefined) digests.add(pins.graph);
    const { output } = asObject(body);
    if (type !== 'run.completed' && output !== undefined && isLargeOutput(output))
      digests.add((output as { artifact: string }).artifact);
  }
  for (const digest of digests) {
    const bytes = await engine.parts.artifacts.get(digest as Digest);
    if (bytes !== undefined) blobs.add(new TextDecoder().decode(bytes));
  }
}

/** Fills in the texts that a pack names by id, because a case must not depend on the memory of one machine. */
async function withPackTexts(
  event: CaseRun['events'][number],
  { packs }: Pick<EvalServices, 'packs'>,
): Promise<CaseRun['events'][number]> {
  const read: ReadPackText = async (item) => (await packs()).read(item);
  const fill = async (fact: Json): Promise<Json> => {
    const { tool, output } = asObject(fact);
    if (tool !== PACK) return fact;
    const { items } = asObject(output) as { items?: readonly JsonObject[] };
    const filled = await Promise.all(
      (items ?? []).map(async (item) => {
        const text = item['text'] ?? (await read(item as never));
        return text === undefined ? item : { ...item, text };
      }),
    );
    return { ...(fact as JsonObject), output: { ...asObject(output), items: filled } };
  };
  if (event.type === 'evidence.recalled')
    return { ...event, body: await Promise.all((event.body as readonly Json[]).map(fill)) };
  const base = asObject(asObject(event.body)['base']);
  if (event.type !== 'run.started' || !Array.isArray(base['evidence'])) return event;
  const evidence = await Promise.all((base['evidence'] as readonly Json[]).map(fill));
  return { ...event, body: { ...asObject(event.body), base: { ...base, evidence } } };
}

/** Expects the recorded decisions, and the requests as they are built from the record. */
async function expect(
  services: EvalServices,
  runs: readonly CaseRun[],
  recorded: readonly RecordedRun[],
  blobs: Blobs,
): Promise<readonly string[]> {
  const engine = await openEvalEngine(services, Object.values(blobs.texts));
  const models = new CurrentModels(services);
  const notes: string[] = [];
  for (const [i, run] of runs.entries()) {
    const { state } = recorded[i] as RecordedRun;
    const { decisions, steps } = await replayCaseRun(run, state, {
      engine,
      graph: (at) => engine.graphOf(at),
      events: async (events) => events,
      addBlob: blobs.add,
      models,
    });
    for (const [place, { why: _, policy: __, recordedModel, model: today, ...made }] of decisions.entries()) {
      const step = steps[place];
      if (step === undefined) continue;
      const policy = step.verdict?.recorded;
      const model = recordedModel ?? today;
      run.expected.push({
        ...made,
        decision: step.recorded,
        ...(policy === undefined ? {} : { policy }),
        ...(model === undefined ? {} : { model }),
      });
      if (asksOtherwise(step))
        notes.push(`step ${step.step} of run ${run.id}: the request already differs from the recorded one`);
    }
  }
  return notes;
}

/** The status of the run, and the criteria of its accepted tasks. */
function acceptanceOf({ state, events }: RecordedRun): Acceptance[] {
  const status = (state.ended as NonNullable<RunState['ended']>).status;
  const tasks = state.kind === 'assistant' && status === 'completed' ? taskGraphOf(events)?.tasks : [];
  const criteria = (tasks ?? []).flatMap(({ id, acceptance }) =>
    acceptance.map((criterion): Acceptance => ({ task: id, criterion: criterion as JsonObject })),
  );
  return [{ ends: status }, ...criteria];
}

/** The state of a run of a case. */
export function stateOf(events: readonly LedgerEvent[]): RunState {
  let run: RunState | undefined;
  for (const event of events) run = applyRunEvent(run, event);
  return run as RunState;
}
