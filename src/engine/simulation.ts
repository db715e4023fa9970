// Owns: what a simulation reports and keeps. Does not own: withholding effects (tool-step.ts).
// I1 A simulated run is kept in one event of the stream `simulation/<run>`. It has no `run/` stream, so nothing continues it or
//    counts it as work: budgets, metrics, memory, procedures, schedules, idempotency keys.
import { asObject, canonicalJson, type Json, type JsonObject, OkaError } from '../kernel/index.ts';
import {
  type EventStore,
  LedgerEvent,
  namedAddresses,
  type Projection,
  type RowChange,
  type StreamAppend,
} from '../ledger/index.ts';
import { foldRun } from './fold-run.ts';
import { runStream } from './run-events.ts';
import { type RunState, statusOf } from './run-state.ts';
import {
  type CallEffect,
  type Capabilities,
  effectOf,
  hasEffects,
  narrowTool,
  type ToolRegistry,
} from './tool.ts';
import type { EngineErrorCode } from './types.ts';

const SIMULATION_PREFIX = 'simulation/';

export function simulationStream(run: string): string {
  return `${SIMULATION_PREFIX}${run}`;
}

/** An effect of one call that a real run would have. */
export interface SimulatedEffect extends CallEffect {
  readonly run: string;
  readonly step: number;
  readonly tool: string;
  readonly input: Json;
  /** The policy rule by which a real run asks a person first. */
  readonly asks?: string;
  /** The call was not made; later steps saw a placeholder for its result. */
  readonly withheld?: true;
}

/** A call that a real run could not make. */
export interface FailedCall extends CallEffect, Pick<SimulatedEffect, 'run' | 'step' | 'tool' | 'input'> {
  readonly outcome: 'refused' | 'failed';
  readonly why: string;
}

/** A simulated run, read from its record. */
export interface Simulation {
  readonly run: RunState;
  readonly events: readonly LedgerEvent[];
  /** The report on the whole tree; only the root of a tree has one. */
  readonly report: JsonObject | undefined;
}

type Loose = Readonly<Record<string, Json | undefined>>;

/** Every call of a tree of simulated runs that would change something or ask a person, in the order of the calls. */
export function simulatedCalls(
  events: readonly LedgerEvent[],
  tools: Pick<ToolRegistry, 'face'>,
  capabilities?: Capabilities,
): readonly (SimulatedEffect | FailedCall)[] {
  const outcomes = new Map<string, LedgerEvent>();
  for (const event of events)
    if (event.type === 'tool.failed' || event.type === 'tool.completed')
      outcomes.set(`${event.stream} ${event.data['step']}`, event);
  return events.flatMap((event): (SimulatedEffect | FailedCall)[] => {
    const { stream, type } = event;
    const { tool: name, step, outcome = 'ok', policy, approval, cached, reused } = event.data as Loose;
    const isCall = type === 'tool.intended' || type === 'tool.pending' || type === 'step.completed';
    const known = isCall && typeof name === 'string' ? tools.face(name) : undefined;
    if (known === undefined || cached || reused) return [];
    const input = asObject(event.body)['input'] ?? null;
    const face = narrowTool(known, input, capabilities);
    const isAsked = approval === undefined && String(policy ?? '').startsWith('ask:');
    const ended = outcomes.get(`${stream} ${String(step)}`);
    const asks = isAsked ? String(policy).slice('ask:'.length) : (ended?.data as Loose | undefined)?.['asks'];
    if (!hasEffects(face) && asks === undefined) return [];
    const run = stream.slice(runStream('').length);
    const about = { ...effectOf(face, input), run, step: step as number, tool: face.name, input };
    const failed = outcome === 'ok' ? ended : event;
    if (failed !== undefined && failed.type !== 'tool.completed') {
      const why = asObject(asObject(failed.body)['failure'])['message'];
      const ends = outcome === 'refused' ? ('refused' as const) : ('failed' as const);
      return [{ ...about, outcome: ends, why: String(why ?? 'it gave no reason') }];
    }
    return [
      {
        ...about,
        ...(asks === undefined ? {} : { asks: String(asks) }),
        ...(face.simulatable ? {} : { withheld: true as const }),
      },
    ];
  });
}

/** The append that keeps a simulated run. */
export function keepSimulation(
  run: RunState,
  events: readonly LedgerEvent[],
  report?: { readonly effects: readonly unknown[] },
): StreamAppend {
  const { id, kind, lineage, subject, startedAt, ended, failure, goal } = run;
  const data = {
    kind,
    status: statusOf(run),
    root: lineage.root,
    startedAt,
    ...(lineage.parent === undefined ? {} : { parent: lineage.parent }),
    ...(subject === undefined ? {} : { subject }),
    ...(ended === undefined ? {} : { endedAt: ended.at }),
    ...(failure === undefined ? {} : { code: failure.code }),
    ...(report === undefined ? {} : { effects: report.effects.length }),
  };
  const kept = events.map(({ type, at, actor, data: facts, body }) => ({
    ...{ type, at, actor, data: facts },
    ...(body === undefined ? {} : { body }),
  }));
  const body = { goal, events: kept, ...(report === undefined ? {} : { report }) } as unknown as Json;
  const stream = simulationStream(id);
  return { stream, expectedIndex: 0, events: [{ type: 'simulation.recorded', data, body }] };
}

/** Whether a simulation is kept under this ID. */
export async function isSimulated(run: string, events: EventStore): Promise<boolean> {
  return (await events.end(simulationStream(run))).index >= 0;
}

/** The error for an operation on a simulated run that needs a real one. */
export function simulatedRun(run: string): OkaError<EngineErrorCode> {
  return new OkaError(
    'engine.run_simulated',
    `Run ${run} was only simulated: it changed nothing and cannot be continued. See: oka runs explain ${run}.`,
    { data: { run } },
  );
}

/** Reads a simulated run; undefined if no simulation has this ID. */
export async function readSimulation(id: string, events: EventStore): Promise<Simulation | undefined> {
  const [record] = await events.read(simulationStream(id));
  if (record === undefined) return undefined;
  const { events: kept, report } = asObject(record.body) as { events?: Json; report?: Json };
  const restored = ((kept ?? []) as readonly JsonObject[]).map((one, index) => toEvent(id, index, one));
  const run = foldRun(restored, undefined);
  if (run === undefined)
    throw new OkaError('engine.content_erased', `The simulation ${id} was erased.`, { data: { run: id } });
  return { run, events: restored, report: report === undefined ? undefined : asObject(report) };
}

function toEvent(run: string, index: number, kept: JsonObject): LedgerEvent {
  const data = asObject(kept['data']);
  const body = kept['body'];
  const record = {
    ...{ seq: index, index, stream: runStream(run), ends: false, salt: null, bodyDigest: null, chain: '' },
    type: String(kept['type']),
    at: Number(kept['at']),
    actor: String(kept['actor']),
    dataText: canonicalJson(data),
    bodyText: body === undefined ? null : canonicalJson(body),
  };
  return new LedgerEvent(record, data, body);
}

/** The table of simulated runs, apart from the table of runs. */
export const simulationProjection: Projection = {
  name: 'simulations',
  tables: [
    {
      name: 'simulations',
      columns: {
        id: 'text',
        kind: 'text',
        goal: 'text',
        status: 'text',
        parent: 'text',
        root: 'text',
        subject: 'text',
        failure_code: 'text',
        started_at: 'integer',
        ended_at: 'integer',
        recorded_at: 'integer',
      },
      key: ['id'],
      indexes: [['started_at'], ['root']],
    },
  ],
  types: new Set(['simulation.recorded', 'body.erased', 'stream.archived']),
  apply: changesOf,
};

function changesOf(event: LedgerEvent): readonly RowChange[] {
  const { data } = event;
  if (event.type === 'stream.archived') {
    const id = simulatedId(data['stream'] as string);
    return id === undefined ? [] : [{ table: 'simulations', delete: { id } }];
  }
  if (event.type === 'body.erased')
    return namedAddresses(data).flatMap(({ stream }): RowChange[] => {
      const id = simulatedId(stream);
      return id === undefined ? [] : [{ table: 'simulations', patch: { goal: null }, where: { id } }];
    });
  const id = simulatedId(event.stream);
  if (id === undefined) return [];
  const row = {
    id,
    kind: data['kind'],
    goal: asObject(event.body)['goal'] ?? null,
    status: data['status'],
    parent: data['parent'] ?? null,
    root: data['root'],
    subject: data['subject'] ?? null,
    failure_code: data['code'] ?? null,
    started_at: data['startedAt'],
    ended_at: data['endedAt'] ?? null,
    recorded_at: event.at,
  };
  return [{ table: 'simulations', put: row }];
}

function simulatedId(stream: string): string | undefined {
  return stream.startsWith(SIMULATION_PREFIX) ? stream.slice(SIMULATION_PREFIX.length) : undefined;
}
