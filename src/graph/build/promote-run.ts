import { canonicalJson, type Json, OkaError } from '../../kernel/index.ts';
import { isRefusedKey } from '../json-value.ts';
import type { GraphDefinition, GraphNode } from '../types.ts';
import { freeId, slug } from './slug.ts';
import type { BuildErrorCode } from './types.ts';

/** One action of a finished run. */
export interface TracedAction {
  readonly state: string;
  readonly tool: string;
  readonly input: Json;
  /** Undefined if the call failed: then the graph does not make it again. */
  readonly output: Json | undefined;
}

const MIN_TEXT_LENGTH = 8;
/** Members of outputs that name a file or folder. What the goal names there is the same one. */
const NAMES_PLACE = /^(?:path|folder)$/;
const SAFE_KEY = /^[A-Za-z0-9_-]+$/;

export interface PromoteOptions {
  readonly id: string;
  /** The goal of the run, and the name of the graph. */
  readonly name: string;
  /** Values that stay as they are although their source is unknown, such as `files_write.content`. */
  readonly keep?: readonly string[];
}

/**
 * A graph that repeats the work of a finished run: one tool node for each action but those that only validate, in order.
 * Each value of an input is either constant, because the goal states it or it was known before there was any output, or it is
 * the value of exactly one earlier output and becomes a template. Any other value was computed, so the run is refused.
 */
export function promoteRun(
  trace: readonly TracedAction[],
  { id, name, keep = [] }: PromoteOptions,
): GraphDefinition {
  const actions = trace.filter(({ state }) => state !== 'validate');
  const isDone = ({ output }: TracedAction): boolean => output !== undefined;
  if (!actions.some(isDone)) throw cannotPromote('the run called no tool', {});
  const ids = new Set(['start', 'end']);
  const nodeIds = actions.filter(isDone).map(({ tool }) => {
    const free = freeId(slug(tool), ids);
    ids.add(free);
    return free;
  });
  const origins = new Origins(name, new Set(keep));
  const nodes: GraphNode[] = [];
  for (const { tool, input, output, state } of actions) {
    if (output === undefined) {
      origins.learn(null, undefined, new Set());
      continue;
    }
    const node_id = nodeIds[nodes.length] as string;
    const args = origins.express(input, { tool, at: node_id });
    origins.learn(output, node_id, leavesOf(input));
    const next = nodeIds[nodes.length + 1] ?? 'end';
    nodes.push({ node_id, type: 'tool', description: `From the state ${state}.`, tool, args, next });
  }
  return {
    id,
    name,
    version: 1,
    start: 'start',
    execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 120, max_retries: 0 },
    nodes: [
      { node_id: 'start', type: 'start', next: nodeIds[0] as string },
      ...nodes,
      { node_id: 'end', type: 'end' },
    ],
  };
}

/** Where an input is. */
interface Place {
  readonly tool: string;
  /** Its node and keys, such as `files_write.content`. */
  readonly at: string;
  /** The nearest key of an object. */
  readonly key?: string;
}

/** Which values a run knew, and from where. */
class Origins {
  readonly #goal: string;
  readonly #keep: ReadonlySet<string>;
  /** The paths of outputs by the canonical form of their values; undefined where no path can name it. */
  readonly #outputs = new Map<string, (string | undefined)[]>();
  /** Scalars with their keys of inputs that were made before there was any output. */
  readonly #constants = new Set<string>();
  #hasOutput = false;

  constructor(goal: string, keep: ReadonlySet<string>) {
    this.#goal = goal;
    this.#keep = keep;
  }

  /** Records an output and its members. What it repeats of its own input, or names as the goal does, comes from there. */
  learn(value: Json, path: string | undefined, echoes: ReadonlySet<string>, key = ''): void {
    this.#hasOutput = true;
    const isEcho = echoes.has(leaf(key, value)) || (NAMES_PLACE.test(key) && this.#isStated(value));
    if (!isEcho) {
      const form = canonicalJson(value);
      this.#outputs.set(form, [...(this.#outputs.get(form) ?? []), path]);
    }
    if (value === null || typeof value !== 'object') return;
    for (const [name, member] of Object.entries(value)) {
      // The next run may have another value at the same index of a list.
      const usable =
        path !== undefined && !Array.isArray(value) && SAFE_KEY.test(name) && !isRefusedKey(name);
      this.learn(
        member as Json,
        usable ? `${path}.${name}` : undefined,
        echoes,
        Array.isArray(value) ? key : name,
      );
    }
  }

  /** The value with templates for the parts that come from outputs. */
  express(value: Json, place: Place): Json {
    // The inputs of a result are what the goal says; what it writes is computed again in each run.
    const isGiven = place.tool === 'procedures.write' || this.#keep.has(place.at);
    if (!this.#hasOutput || isGiven) return this.#constant(value, place);
    const sources = this.#outputs.get(canonicalJson(value)) ?? [];
    if (value !== null && typeof value === 'object' && Object.keys(value).length > 0) {
      if (sources.length === 1 && sources[0] !== undefined) return `{{${sources[0]}}}`;
      return eachMember(value, (member, key) =>
        this.express(member, {
          tool: place.tool,
          at: `${place.at}.${key}`,
          ...(Array.isArray(value) ? place.key !== undefined && { key: place.key } : { key }),
        }),
      );
    }
    const isKnown = this.#isStated(value) || this.#constants.has(leaf(place.key ?? '', value));
    if (isKnown && sources.length === 0) return this.#constant(value, place);
    const isLong = typeof value === 'string' && value.length >= MIN_TEXT_LENGTH;
    if (!isKnown && isLong && sources.length === 1 && sources[0] !== undefined) return `{{${sources[0]}}}`;
    throw cannotTrace(place, this.#goal, sources.length);
  }

  #constant(value: Json, place: Place): Json {
    if (typeof value === 'string' && /\{\{[^{}]*\}\}/.test(value))
      throw cannotPromote(
        `an input of ${place.tool} contains "{{…}}", which a graph would read as a template`,
        {
          tool: place.tool,
        },
      );
    for (const known of leavesOf(value, place.key)) this.#constants.add(known);
    return eachMember(value, (member, key) =>
      this.#constant(member, { ...place, ...(!Array.isArray(value) && { key }) }),
    );
  }

  /** Whether the goal states a text or a number, as a word or words of its own. */
  #isStated(value: Json): boolean {
    if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return false;
    const text = String(value).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    return new RegExp(`(?<![\\p{L}\\p{N}_./-])${text}(?![\\p{L}\\p{N}_/-]|\\.[\\p{L}\\p{N}])`, 'u').test(
      this.#goal,
    );
  }
}

function eachMember(value: Json, change: (member: Json, key: string) => Json): Json {
  if (Array.isArray(value)) return value.map((item: Json, i) => change(item, String(i)));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member as Json, key)]));
}

/** The scalars and empty members of a value with their keys. */
function leavesOf(value: Json, key = ''): ReadonlySet<string> {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0)
    return new Set([leaf(key, value)]);
  const members = Object.entries(value).map(([name, member]) =>
    leavesOf(member as Json, Array.isArray(value) ? key : name),
  );
  return new Set(members.flatMap((own) => [...own]));
}

function leaf(key: string, value: Json): string {
  return `${key} ${canonicalJson(value)}`;
}

function cannotTrace({ tool, at }: Place, goal: string, sources: number): OkaError<BuildErrorCode> {
  const why =
    sources === 0
      ? 'was computed from earlier results, so the graph would use the old one again'
      : 'equals earlier results, but it is not certain that it comes from one of them';
  return new OkaError(
    'graph.cannot_promote',
    `the run cannot become a graph: the value ${at} (an input of ${tool}) ${why}. Build the graph from the goal instead: oka graph build ${JSON.stringify(goal)}. Or keep the value as it is: --keep ${at}`,
    { data: { value: at, tool } },
  );
}

function cannotPromote(why: string, data: Readonly<Record<string, unknown>>): OkaError<BuildErrorCode> {
  return new OkaError(
    'graph.cannot_promote',
    `the run cannot become a graph: ${why}; write the graph by hand.`,
    { data },
  );
}
