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
  readonly output: Json;
  readonly then?: string;
}

const MIN_TEXT_LENGTH = 8;
const MAX_VALUES = 10_000;
const SAFE_KEY = /^[A-Za-z0-9_-]+$/;

/**
 * A graph that repeats a finished run: one tool node for each action, in order. A value that equals exactly one earlier
 * output, and no earlier input, becomes a template; every other value stays constant.
 */
export function promoteRun(
  trace: readonly TracedAction[],
  { id, name }: { readonly id: string; readonly name: string },
): GraphDefinition {
  if (trace.length === 0) throw cannotPromote('the run called no tool', {});
  const ids = new Set(['start', 'end']);
  const nodeIds = trace.map(({ tool }) => {
    const free = freeId(slug(tool), ids);
    ids.add(free);
    return free;
  });
  const origins = new Origins();
  const nodes = trace.map(({ tool, input, output, state }, i): GraphNode => {
    const node_id = nodeIds[i] as string;
    const args = origins.express(input, tool);
    origins.learn(input, undefined);
    origins.learn(output, node_id);
    return {
      node_id,
      type: 'tool',
      description: `From the state ${state}.`,
      tool,
      args,
      next: nodeIds[i + 1] ?? 'end',
    };
  });
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

/** The sources of values, by their canonical form. A value from two sources, or from an input, has no origin. */
class Origins {
  readonly #seen = new Map<string, string | undefined>();
  #left = MAX_VALUES;

  /** Records a value and its members; without a path they have no origin. */
  learn(value: Json, path: string | undefined): void {
    if (this.#left-- <= 0) return;
    if (isSpecific(value)) {
      const key = canonicalJson(value);
      this.#seen.set(key, this.#seen.has(key) ? undefined : path);
    }
    if (value === null || typeof value !== 'object') return;
    for (const [key, member] of Object.entries(value)) {
      // The next run may have another value at the same index of a list.
      const usable = path !== undefined && !Array.isArray(value) && SAFE_KEY.test(key) && !isRefusedKey(key);
      this.learn(member as Json, usable ? `${path}.${key}` : undefined);
    }
  }

  /** The value with templates for the parts that have an origin. */
  express(value: Json, tool: string): Json {
    const path = isSpecific(value) ? this.#seen.get(canonicalJson(value)) : undefined;
    if (path !== undefined) return `{{${path}}}`;
    if (typeof value === 'string' && /\{\{[^{}]*\}\}/.test(value))
      throw cannotPromote(`an input of ${tool} contains "{{…}}", which a graph would read as a template`, {
        tool,
      });
    if (Array.isArray(value)) return value.map((item: Json) => this.express(item, tool));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.express(member as Json, tool)]),
    );
  }
}

/** True for a value that is too specific to be equal by chance. */
function isSpecific(value: Json): boolean {
  if (typeof value === 'string') return value.length >= MIN_TEXT_LENGTH;
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0;
}

function cannotPromote(why: string, data: Readonly<Record<string, unknown>>): OkaError<BuildErrorCode> {
  return new OkaError(
    'graph.cannot_promote',
    `the run cannot become a graph: ${why}; write the graph by hand.`,
    { data },
  );
}
