// Owns: where cost, tokens or time went, as a tree of shares.

import { stepLabel } from './step-label.ts';
import type { RunRecord, Step, TreeRecord } from './types.ts';

export type Measure = 'cost' | 'tokens' | 'time';

export interface FlameNode {
  readonly name: string;
  readonly kind: 'run' | 'state' | 'step';
  value: number;
  /** The step to select, if it is one step only. */
  step?: string | undefined;
  count: number;
  readonly children: FlameNode[];
}

function measureOf(step: Step, measure: Measure, now: number): number {
  const { spend } = step;
  if (measure === 'cost') return spend['cost_usd'] ?? 0;
  if (measure === 'tokens') return (spend['input_tokens'] ?? 0) + (spend['output_tokens'] ?? 0);
  return step.segments.reduce(
    (sum, { kind, from, to = now }) => (kind === 'wait' ? sum : sum + Math.max(0, to - from)),
    0,
  );
}

/** The measures that are not zero, the most telling first. */
export function knownMeasures(tree: TreeRecord): readonly Measure[] {
  const all: readonly Measure[] = ['cost', 'tokens', 'time'];
  const steps = [...tree.runs.values()].flatMap((run) => run.steps);
  return all.filter((measure) => steps.some((step) => measureOf(step, measure, tree.at) > 0));
}

/** Runs contain states, states contain steps, and steps contain the child runs they started. Equal names are added up. */
export function flameOf(tree: TreeRecord, measure: Measure): FlameNode {
  return sorted(runNode(tree.root, tree, measure));
}

function runNode(run: RunRecord, tree: TreeRecord, measure: Measure): FlameNode {
  const node = newNode(run.goal === '' ? run.kind : run.goal, 'run');
  const states = new Map<string, FlameNode>();
  const steps = new Map<string, FlameNode>();
  for (const step of run.steps) {
    const below = step.children.flatMap((id) => tree.runs.get(id) ?? []);
    const state = childOf(node, states, step.state, step.state, 'state');
    const label = stepLabel(step);
    const shown = childOf(state, steps, `${step.state}\n${label}`, label, 'step');
    shown.count += 1;
    shown.step = shown.count === 1 ? step.key : undefined;
    shown.children.push(...below.map((child) => runNode(child, tree, measure)));
    const own = measureOf(step, measure, tree.at);
    const value =
      below.length > 0
        ? own + shown.children.slice(-below.length).reduce((sum, child) => sum + child.value, 0)
        : own;
    for (const part of [node, state, shown]) part.value += value;
  }
  return node;
}

function newNode(name: string, kind: FlameNode['kind']): FlameNode {
  return { name, kind, value: 0, count: 0, children: [] };
}

function childOf(
  parent: FlameNode,
  known: Map<string, FlameNode>,
  key: string,
  name: string,
  kind: FlameNode['kind'],
): FlameNode {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = newNode(name, kind);
  known.set(key, made);
  parent.children.push(made);
  return made;
}

function sorted(node: FlameNode): FlameNode {
  node.children.sort((a, b) => b.value - a.value);
  for (const child of node.children) sorted(child);
  return node;
}
