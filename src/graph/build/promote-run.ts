import { canonicalJson, type Json, OkaError } from '../../kernel/index.ts';
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

const SHORTEST_TEXT = 8;
const MOST_VALUES = 10_000;
const SAFE_KEY = /^[A-Za-z0-9_-]+$/;
const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * A graph that does again what a finished run did: one tool node for each action, in order. A value that equals exactly
 * one earlier output, and that no earlier input held, becomes a template; everything else stays as it was.
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

/** Where values were first seen, by their canonical form. A value from two places, or from an input, has no origin. */
class Origins {
  readonly #seen = new Map<string, string | undefined>();
  #left = MOST_VALUES;

  /** Remembers a value and everything in it; without a path it is known to come from elsewhere. */
  learn(value: Json, path: string | undefined): void {
    if (this.#left-- <= 0) return;
    if (isTelling(value)) {
      const key = canonicalJson(value);
      this.#seen.set(key, this.#seen.has(key) ? undefined : path);
    }
    if (value === null || typeof value !== 'object') return;
    for (const [key, member] of Object.entries(value)) {
      // A place in a list holds something else the next time.
      const usable =
        path !== undefined && !Array.isArray(value) && SAFE_KEY.test(key) && !REFUSED_KEYS.has(key);
      this.learn(member as Json, usable ? `${path}.${key}` : undefined);
    }
  }

  /** The value with templates in place of what has an origin. */
  express(value: Json, tool: string): Json {
    const path = isTelling(value) ? this.#seen.get(canonicalJson(value)) : undefined;
    if (path !== undefined) return `{{${path}}}`;
    if (typeof value === 'string' && /\{\{[^{}]*\}\}/.test(value))
      throw cannotPromote(`an input of ${tool} holds "{{…}}", which a graph would take for a template`, {
        tool,
      });
    if (Array.isArray(value)) return value.map((item: Json) => this.express(item, tool));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.express(member as Json, tool)]),
    );
  }
}

/** Long enough, or with enough in it, not to be equal by chance. */
function isTelling(value: Json): boolean {
  if (typeof value === 'string') return value.length >= SHORTEST_TEXT;
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0;
}

function cannotPromote(why: string, data: Readonly<Record<string, unknown>>): OkaError<BuildErrorCode> {
  return new OkaError(
    'graph.cannot_promote',
    `the run cannot be made a graph: ${why}; write the graph by hand.`,
    { data },
  );
}
