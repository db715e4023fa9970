import { didYouMean } from '../../kernel/index.ts';
import type { Finding } from '../node-type.ts';
import { NODE_TYPE_NAMES, nodeTypeOf } from '../node-types.ts';
import type { GraphNode, NodeTypeName } from '../types.ts';
import { type Edges, findComponents } from './components.ts';
import type { Dominators } from './dominators.ts';
import type { Flow } from './flow.ts';
import type { ReadDefinition, ReadNode } from './read-definition.ts';

/** The node where runs begin; the likely one when `start` is wrong. */
export function findStart({ settings, nodes }: ReadDefinition, flow: Flow): number | undefined {
  const named = settings.start === undefined ? undefined : flow.byId.get(settings.start);
  if (named !== undefined) return named;
  const near =
    settings.start === undefined ? undefined : flow.byId.get(flow.ids.nearest(settings.start) ?? '');
  return near ?? nodes.find(({ source, id }) => source['type'] === 'start' && id !== undefined)?.index;
}

/** `start` names a node of type start. */
export function checkStart({ settings, nodes }: ReadDefinition, flow: Flow): Finding[] {
  const { start } = settings;
  if (start === undefined) return [];
  const index = flow.byId.get(start);
  const field = ['start'];
  if (index === undefined) {
    const likely = flow.ids.nearest(start) ?? nodes.find(({ source }) => source['type'] === 'start')?.id;
    return [
      {
        code: 'graph.unknown_start',
        field,
        message: `there is no node "${start}" to start with.`,
        suggestion: didYouMean(likely, 'Add a node of type start.'),
      },
    ];
  }
  const type = nodes[index]?.source['type'];
  if (type === 'start' || !isKnownType(type)) return [];
  const real = nodes.find(({ source }) => source['type'] === 'start')?.id;
  return [
    {
      code: 'graph.not_a_start',
      field,
      message: `the node "${start}" is of type ${type}, not start.`,
      suggestion: didYouMean(real, 'Add a node of type start and name it here.'),
    },
  ];
}

/** At least one node ends the run. */
export function checkEnd({ nodes }: ReadDefinition): Finding[] {
  const may = ({ source }: ReadNode): boolean => source['type'] === 'end' || !isKnownType(source['type']);
  if (nodes.some(may)) return [];
  return [
    {
      code: 'graph.no_end',
      field: ['nodes'],
      message: 'no node ends the run.',
      suggestion: 'Add {"node_id": "end", "type": "end"} and lead a way to it.',
    },
  ];
}

/** Every target is a node. */
export function checkTargets({ nodes }: ReadDefinition, flow: Flow): Finding[] {
  return nodes.flatMap(({ node, index }) => (node === undefined ? [] : unknownTargets(node, index, flow)));
}

function unknownTargets(node: GraphNode, index: number, flow: Flow): Finding[] {
  return nodeTypeOf(node)
    .targets(node)
    .filter(({ to }) => !flow.byId.has(to))
    .map(({ field, to }) => ({
      code: 'graph.unknown_target' as const,
      field: ['nodes', index, ...field],
      message: `"${node.node_id}" goes to "${to}", and there is no such node.`,
      suggestion: didYouMean(flow.ids.nearest(to), 'Add the node, or choose another.'),
    }));
}

/** Every node can be reached from the start. */
export function checkReachable({ nodes }: ReadDefinition, flow: Flow, ways: Dominators): Finding[] {
  if (flow.incomplete) return [];
  return nodes
    .filter(({ id, index }) => id !== undefined && flow.byId.get(id) === index && !ways.isReachable(index))
    .map(({ id, index }) => ({
      code: 'graph.unreachable_node' as const,
      field: ['nodes', index],
      message: `no way leads to the node "${id}".`,
      suggestion: 'Lead a way to it, or remove it.',
    }));
}

/** An end can be reached from every node. */
export function checkWayToEnd({ nodes }: ReadDefinition, flow: Flow): Finding[] {
  const ends = nodes.filter(({ source }) => source['type'] === 'end').map(({ index }) => index);
  if (ends.length === 0) return [];
  const reaching = reachBackwards(flow.edges, [...ends, ...flow.open]);
  return nodes
    .filter(({ id, index }) => id !== undefined && reaching[index] === 0)
    .map(({ id, index }) => ({
      code: 'graph.no_way_to_end' as const,
      field: ['nodes', index],
      message: `no way leads from the node "${id}" to an end.`,
      suggestion: 'Give the circle a way out, to a node of type end.',
    }));
}

/** A circle is bounded by max_steps; leaving it to the default deserves a word. */
export function checkCycles(
  { nodes, settings }: ReadDefinition,
  flow: Flow,
  defaultSteps: number,
  ways: Dominators | undefined,
): Finding[] {
  if (settings.max_steps !== undefined) return [];
  const components = findComponents(flow.edges);
  const onCircle = nodes.find(
    ({ index, id }) =>
      id !== undefined &&
      components.cyclic[components.of[index] as number] &&
      (ways?.isReachable(index) ?? true),
  );
  if (onCircle === undefined) return [];
  return [
    {
      code: 'graph.cycle_without_limit',
      field: ['max_steps'],
      message: `the node "${onCircle.id}" lies on a circle, and without max_steps a run ends after ${defaultSteps} steps.`,
      suggestion: `Add "max_steps": ${defaultSteps}, or what the circle really needs.`,
      severity: 'warning',
    },
  ];
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
