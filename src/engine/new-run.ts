import { canonicalJson, type Digest, digestOfJson, type JsonObject, OkaError } from '../kernel/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import type { BudgetLimits } from './budgets.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { hasNodeHooks } from './middleware/run-hooks.ts';
import { type CarriedState, runEvent } from './run-events.ts';
import { StateGraph, type StateGraphSpec } from './state-graph.ts';
import type { Lineage, Pins } from './types.ts';

export interface NewRun {
  readonly kind: string;
  readonly goal: string;
  readonly vars: JsonObject;
  readonly limits: BudgetLimits;
  readonly lineage: Lineage;
  readonly graph?: StateGraph;
  readonly subject?: string;
  readonly asked?: Digest;
  readonly owner?: string;
  readonly base?: CarriedState;
  /** Runs of one group share pools, such as those of a conversation. */
  readonly group?: string | undefined;
  /** Whether its origin has read untrusted content. */
  readonly untrusted?: boolean;
  readonly untrustedFrom?: string | undefined;
  /** The hosts that a person has named for it. */
  readonly namedHosts: readonly string[];
}

/** The first event of a run, with all its pins. */
export async function newRunEvent(run: NewRun, parts: EngineParts): Promise<EventDraft> {
  const kind = requireKind(run.kind, parts);
  const graph = run.graph ?? kind.graph;
  const pins = await currentPins(kind, graph, parts);
  return runEvent(
    'run.started',
    {
      kind: run.kind,
      state: graph.spec.start,
      to: run.base === undefined && !hasNodeHooks(parts.hooks) ? graph.stateAfterStart : undefined,
      pins,
      subject: run.subject,
      limits: run.limits,
      lineage: run.lineage,
      group: run.group,
      epoch: run.owner === undefined ? 0 : 1,
      status: run.owner === undefined ? 'pending' : 'running',
      untrusted: run.untrusted ? true : undefined,
      owner: run.owner,
    },
    {
      goal: parts.redactor.text(run.goal),
      vars: parts.redactor.json(run.vars),
      asked: run.asked,
      base: run.base,
      untrustedFrom: run.untrustedFrom,
      namedHosts: run.namedHosts.length > 0 ? run.namedHosts : undefined,
    },
  );
}

export function requireKind(name: string, parts: EngineParts): RunKind {
  const kind = parts.kinds.get(name);
  if (kind) return kind;
  throw new OkaError(
    'engine.unknown_kind',
    `Unknown kind of run "${name}": expected one of ${[...parts.kinds.keys()].join(', ')}.`,
    { data: { kind: name } },
  );
}

/** The pins of a run that starts now. The graph and the tool digests are stored as artifacts for a later resume. */
export async function currentPins(kind: RunKind, graph: StateGraph, parts: EngineParts): Promise<Pins> {
  const digests = parts.tools.digests();
  const graphRef = await storeOnce(graph.hash, () => canonicalJson(graph.spec), parts);
  const tools = await storeOnce(digestOfTools(digests), () => canonicalJson(digests), parts);
  return {
    graph: graphRef,
    tools,
    planner: `${kind.planner.name}/${kind.planner.version}`,
    policy: parts.policy.version,
  };
}

const MAX_CACHED_GRAPHS = 64;
/** Garbage collection deletes unused artifacts, so a cached pin is checked again after this time. */
const PIN_CACHE_MS = 60_000;

interface CachedPin {
  readonly stored: Promise<Digest> | Digest;
  readonly until: number;
}
const pinCaches = new WeakMap<object, Map<Digest, CachedPin>>();
const toolsDigests = new WeakMap<object, Digest>();

function digestOfTools(digests: object): Digest {
  const known = toolsDigests.get(digests);
  if (known) return known;
  const digest = digestOfJson(digests);
  toolsDigests.set(digests, digest);
  return digest;
}

/** Stores a pinned artifact once, even when many runs start at the same time. */
function storeOnce(digest: Digest, content: () => string, parts: EngineParts): Digest | Promise<Digest> {
  const known = pinCaches.get(parts.artifacts) ?? new Map<Digest, CachedPin>();
  pinCaches.set(parts.artifacts, known);
  const until = parts.clock.now() + PIN_CACHE_MS;
  const found = known.get(digest);
  if (found !== undefined && found.until > parts.clock.now() && found.until <= until) return found.stored;
  const storing = storePin(digest, content, parts).then(
    () => {
      known.set(digest, { stored: digest, until });
      return digest;
    },
    (error: unknown) => {
      known.delete(digest);
      throw error;
    },
  );
  known.set(digest, { stored: storing, until });
  return storing;
}

async function storePin(digest: Digest, content: () => string, { artifacts }: EngineParts): Promise<void> {
  if (await artifacts.touch?.(digest)) return;
  await artifacts.put(content(), { mediaType: 'application/json' });
}

/** The graph that a run is pinned to. */
export async function pinnedGraph(pins: Pins, kind: RunKind, parts: EngineParts): Promise<StateGraph> {
  if (kind.graph.hash === pins.graph) return kind.graph;
  // Only valid state graphs are ever pinned.
  return loadGraph(pins.graph, parts, { check: false });
}

const graphs = new WeakMap<object, Map<Digest, StateGraph>>();

/** Loads a stored state graph and caches it, because many runs may share it. */
export async function loadGraph(
  digest: Digest,
  parts: Pick<EngineParts, 'artifacts'>,
  { check = true }: { readonly check?: boolean } = {},
): Promise<StateGraph> {
  const known = graphs.get(parts.artifacts) ?? new Map<Digest, StateGraph>();
  graphs.set(parts.artifacts, known);
  const found = known.get(digest);
  if (found) return found;
  const bytes = await parts.artifacts.get(digest);
  if (bytes === undefined) {
    throw new OkaError(
      'engine.artifact_missing',
      `The graph ${digest} that the run is pinned to is missing. Resume with --repin.`,
      { data: { digest } },
    );
  }
  const spec = JSON.parse(new TextDecoder().decode(bytes)) as StateGraphSpec;
  const graph = new StateGraph(spec, { copy: false, check });
  if (known.size >= MAX_CACHED_GRAPHS) known.clear();
  known.set(digest, graph);
  return graph;
}

/** Stores a state graph as an artifact, so that children can be pinned to it by its hash. */
export async function storeGraph(graph: StateGraph, parts: EngineParts): Promise<Digest> {
  return storeOnce(graph.hash, () => canonicalJson(graph.spec), parts);
}

/** Rejects repinning a run to a graph that does not have the run's current state. */
export function requireState(graph: StateGraph, run: string, state: string): void {
  if (graph.spec.states[state] !== undefined) return;
  throw new OkaError(
    'engine.pins_changed',
    `Run ${run} is in the state "${state}", which the new graph does not have. Let it finish on its own graph, or start a new run.`,
    { data: { run, state } },
  );
}

/** The differences between the pins of a run and the current parts; empty when it can continue. */
export async function pinDifferences(pins: Pins, kind: RunKind, parts: EngineParts): Promise<string[]> {
  const differences: string[] = [];
  const { name, version, continues = [] } = kind.planner;
  const planner = `${name}/${version}`;
  const known = [version, ...continues].map((one) => `${name}/${one}`);
  if (!known.includes(pins.planner)) differences.push(`planner: ${pins.planner} → ${planner}`);
  const now = parts.tools.digests();
  if (pins.tools === digestOfTools(now)) return differences;
  const bytes = await parts.artifacts.get(pins.tools);
  if (bytes === undefined) return [...differences, 'tools: the record of their schemas is missing'];
  const then = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, Digest>;
  for (const [tool, digest] of Object.entries(then)) {
    if (now[tool] === undefined) differences.push(`tool ${tool}: removed`);
    else if (now[tool] !== digest) differences.push(`tool ${tool}: its schema or annotations changed`);
  }
  return differences;
}
