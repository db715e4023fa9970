import { didYouMean } from '../../kernel/index.ts';
import type { Finding } from '../node-type.ts';
import { NODE_TYPE_NAMES, nodeTypeOf } from '../node-types.ts';
import type { NodeTypeName } from '../types.ts';
import { type Edges, findComponents } from './components.ts';
import type { Dominators } from './dominators.ts';
import type { Flow } from './flow.ts';
import type { ReadDefinition, ReadNode } from './read-definition.ts';

/** The node where runs begin; the most likely one when `start` is wrong. */
export function findStart({ settings, nodes }: ReadDefinition, flow: Flow): number | undefined {
  const { start } = settings;
  const named =
    start === undefined ? undefined : (flow.byId.get(start) ?? flow.byId.get(flow.ids.nearest(start) ?? ''));
  return named ?? nodes.find(({ source, id }) => source['type'] === 'start' && id !== undefined)?.index;
}

/** `start` must name a node of type start. */
export function* checkStart({ settings, nodes }: ReadDefinition, flow: Flow): Generator<Finding> {
  const { start } = settings;
  if (start === undefined) return;
  const index = flow.byId.get(start);
  const field = ['start'];
  const real = nodes.find(({ source }) => source['type'] === 'start')?.id;
  const type = index === undefined ? undefined : nodes[index]?.source['type'];
  if (index === undefined) {
    yield {
      code: 'graph.unknown_start',
      field,
      message: `there is no node "${start}" to start with.`,
      suggestion: didYouMean(flow.ids.nearest(start) ?? real, 'Add a node of type start.'),
    };
  } else if (type !== 'start' && isKnownType(type)) {
    yield {
      code: 'graph.not_a_start',
      field,
      message: `the node "${start}" is of type ${type}, not start.`,
      suggestion: didYouMean(real, 'Add a node of type start and name it here.'),
    };
  }
}

/** At least one node must end the run. */
export function* checkEnd({ nodes }: ReadDefinition): Generator<Finding> {
  const mayEnd = ({ source }: ReadNode): boolean => source['type'] === 'end' || !isKnownType(source['type']);
  if (nodes.some(mayEnd)) return;
  yield {
    code: 'graph.no_end',
    field: ['nodes'],
    message: 'no node ends the run.',
    suggestion: 'Add {"node_id": "end", "type": "end"} and an edge to it.',
  };
}

/** Every target must be a node. */
export function* checkTargets({ nodes }: ReadDefinition, flow: Flow): Generator<Finding> {
  for (const { node, index } of nodes) {
    if (node === undefined) continue;
    for (const { field, to } of nodeTypeOf(node).targets(node)) {
      if (flow.byId.has(to)) continue;
      yield {
        code: 'graph.unknown_target',
        field: ['nodes', index, ...field],
        message: `"${node.node_id}" goes to "${to}", and there is no such node.`,
        suggestion: didYouMean(flow.ids.nearest(to), 'Add the node, or choose another.'),
      };
    }
  }
}

/** Every node must be reachable from the start. */
export function checkReachable({ nodes }: ReadDefinition, flow: Flow, ways: Dominators): Finding[] {
  if (flow.incomplete) return [];
  return nodes
    .filter(({ id, index }) => id !== undefined && flow.byId.get(id) === index && !ways.isReachable(index))
    .map(({ id, index }) => ({
      code: 'graph.unreachable_node' as const,
      field: ['nodes', index],
      message: `no path leads to the node "${id}".`,
      suggestion: 'Add an edge to it, or remove it.',
    }));
}

/** Every node must be able to reach an end. */
export function checkWayToEnd({ nodes }: ReadDefinition, flow: Flow): Finding[] {
  const ends = nodes.filter(({ source }) => source['type'] === 'end').map(({ index }) => index);
  if (ends.length === 0) return [];
  const reaching = reachBackwards(flow.edges, [...ends, ...flow.open]);
  return nodes
    .filter(({ id, index }) => id !== undefined && reaching[index] === 0)
    .map(({ id, index }) => ({
      code: 'graph.no_way_to_end' as const,
      field: ['nodes', index],
      message: `no path leads from the node "${id}" to an end.`,
      suggestion: 'Add an exit from the cycle, to a node of type end.',
    }));
}

/** A cycle is bounded by max_steps; the default deserves a warning. */
export function* checkCycles(
  { nodes, settings }: ReadDefinition,
  flow: Flow,
  defaultSteps: number,
  ways: Dominators | undefined,
): Generator<Finding> {
  if (settings.max_steps !== undefined) return;
  const components = findComponents(flow.edges);
  const onCycle = nodes.find(
    ({ index, id }) =>
      id !== undefined &&
      components.cyclic[components.of[index] as number] &&
      (ways?.isReachable(index) ?? true),
  );
  if (onCycle === undefined) return;
  yield {
    code: 'graph.cycle_without_limit',
    field: ['max_steps'],
    message: `the node "${onCycle.id}" is on a cycle, and without max_steps a run ends after ${defaultSteps} steps.`,
    suggestion: `Add "max_steps": ${defaultSteps}, or the number that the cycle needs.`,
    severity: 'warning',
  };
}

function reachBackwards(edges: Edges, from: readonly number[]): Uint8Array {
  const backwards: number[][] = edges.map(() => []);
  for (const [vertex, targets] of edges.entries())
    for (const target of targets) backwards[target]?.push(vertex);
  const reached = new Uint8Array(edges.length);
  const waiting = [...from];
  for (const vertex of from) reached[vertex] = 1;
  for (let vertex = waiting.pop(); vertex !== undefined; vertex = waiting.pop()) {
    for (const before of backwards[vertex] as number[]) {
      if (reached[before] === 1) continue;
      reached[before] = 1;
      waiting.push(before);
    }
  }
  return reached;
}

function isKnownType(type: unknown): type is NodeTypeName {
  return NODE_TYPE_NAMES.includes(type as NodeTypeName);
}
