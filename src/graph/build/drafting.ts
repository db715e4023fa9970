import type { Step, ToolChooser } from '../../language/index.ts';
import type { GraphDefinition, GraphNode } from '../types.ts';
import type { Output } from './outputs.ts';
import { type Misplaced, placeAction } from './place-action.ts';
import { readTest } from './read-test.ts';
import { freeId } from './slug.ts';
import type { BuildTool, Choice } from './types.ts';

/** A step that cannot be placed, why, and how to fix it. */
export interface Problem extends Misplaced {
  readonly step: string;
}

/** A node whose targets are not all known yet. */
interface DraftNode {
  readonly node_id: string;
  [field: string]: unknown;
}

/** A field of a node that needs the id of the next node. */
interface Exit {
  readonly node: DraftNode;
  readonly field: string;
}

/** Nodes in the order of the steps, connected as they are added. */
class DraftGraph {
  readonly #nodes: DraftNode[] = [{ node_id: 'start', type: 'start' }];
  readonly #ids = new Set(['start', 'end']);

  get first(): Exit {
    return { node: this.#nodes[0] as DraftNode, field: 'next' };
  }

  /** Adds a node with a free id near the preferred one, and connects the exits to it. */
  add(wish: string, fields: Readonly<Record<string, unknown>>, from: readonly Exit[]): DraftNode {
    const node: DraftNode = { ...fields, node_id: freeId(wish, this.#ids) };
    this.#ids.add(node.node_id);
    this.#nodes.push(node);
    connect(from, node.node_id);
    return node;
  }

  /** All nodes and an end node, connected to the exits that are still open. */
  finish(open: readonly Exit[]): GraphNode[] {
    connect(open, 'end');
    const nodes = [...this.#nodes, { node_id: 'end', type: 'end' }];
    return nodes.map(({ node_id, ...rest }) => ({ node_id, ...rest })) as unknown as GraphNode[];
  }
}

function connect(exits: readonly Exit[], to: string): void {
  for (const { node, field } of exits) node[field] = to;
}

/** The state between two steps: the exits to connect, and the outputs so far. */
interface Place {
  readonly exits: readonly Exit[];
  readonly outputs: readonly Output[];
  /** The node of the previous step, when it can fail. */
  readonly last?: DraftNode;
  /** The question of the previous step. */
  readonly asked?: DraftNode;
}

/** A node to be added, and why. */
interface Wanted extends Omit<Choice, 'node_id'> {
  readonly wish: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Turns steps into nodes, and records its choices and the steps that it could not place. */
export class Drafting {
  readonly choices: Choice[] = [];
  readonly problems: Problem[] = [];
  readonly #graph = new DraftGraph();
  readonly #tools: ToolChooser<BuildTool>;

  constructor(tools: ToolChooser<BuildTool>) {
    this.#tools = tools;
  }

  draft(steps: readonly Step[]): GraphDefinition['nodes'] {
    const { exits } = this.#steps(steps, { exits: [this.#graph.first], outputs: [] });
    return this.#graph.finish(exits);
  }

  #steps(steps: readonly Step[], from: Place): Place {
    return steps.reduce((place, step) => this.#step(step, place), from);
  }

  #step(step: Step, place: Place): Place {
    switch (step.kind) {
      case 'action':
        return this.#action(step, place);
      case 'condition':
        return this.#condition(step, place);
      case 'guarded':
        return this.#guarded(step, place);
    }
  }

  #action(step: Step & { kind: 'action' }, { exits, outputs }: Place): Place {
    const placed = placeAction(step.tokens, this.#tools, outputs);
    if ('problem' in placed) {
      this.problems.push({ step: step.text, ...placed });
      return { exits, outputs };
    }
    const { wish, fields, why, tool, gives } = placed;
    const node = this.#add({ step: step.text, wish, fields, why, ...(tool && { tool: tool.name }) }, exits);
    if (tool && !tool.annotations.readOnly && !tool.annotations.idempotent)
      node['idempotency_key'] = `{{run.origin_id}}/${node.node_id}`;
    return {
      exits: [{ node, field: 'next' }],
      outputs: gives ? [...outputs, { nodeId: node.node_id, ...gives }] : outputs,
      ...(tool && { last: node }),
      ...(fields['type'] === 'approval' && { asked: node }),
    };
  }

  #condition(step: Step & { kind: 'condition' }, place: Place): Place {
    const test = readTest(step.test, place.outputs);
    if (step.then.length === 0)
      return this.#refuse(step.text, 'it says nothing to do', 'say what to do then, after a comma', place);
    if (test?.kind === 'failed') return this.#onError(step, place);
    if (test?.kind === 'agreed') return this.#asked(step, place, step.negated !== test.negated);
    if (!test) {
      const help =
        'compare the output of the previous step, as in "if it contains "x"", "if there are more than 3 matches" or "if it fails"; or build with a model';
      return this.#refuse(step.text, 'the condition cannot be read without a model', help, place);
    }
    const { left, operator, right } = test;
    const fields = { type: 'typed_condition', left, operator, ...(right === undefined ? {} : { right }) };
    const why = `${operator} is the comparison in the condition`;
    const node = this.#add({ step: step.text, wish: 'check', fields, why }, place.exits);
    return this.#branches(step, node, step.negated !== test.negated, place.outputs);
  }

  /** Drafts both branches; a negated test swaps them. The outputs of branches are not available after them. */
  #branches(
    { then, otherwise }: { then: readonly Step[]; otherwise: readonly Step[] },
    node: DraftNode,
    turned: boolean,
    outputs: readonly Output[],
  ): Place {
    const [yes, no] = turned ? ['if_false', 'if_true'] : ['if_true', 'if_false'];
    const done = this.#steps(then, { exits: [{ node, field: yes as string }], outputs });
    const other = this.#steps(otherwise, { exits: [{ node, field: no as string }], outputs });
    return { exits: [...done.exits, ...other.exits], outputs };
  }

  /** Drafts the failure branch of the previous step; the output of that step is not available after it. */
  #onError(step: Step & { kind: 'condition' }, place: Place): Place {
    const { last, outputs } = place;
    if (!last || step.negated)
      return this.#refuse(step.text, 'no step before it can fail', 'put it after a step that can', place);
    const before = outputs.slice(0, -1);
    const failed = this.#steps(step.then, { exits: [{ node: last, field: 'on_error' }], outputs: before });
    const well = this.#steps(step.otherwise, { exits: place.exits, outputs });
    return { exits: [...failed.exits, ...well.exits], outputs: before };
  }

  #guarded(step: Step & { kind: 'guarded' }, place: Place): Place {
    if (step.steps.length === 0)
      return this.#refuse(step.text, 'it says nothing to ask about', 'say what to ask before', place);
    const { exits, outputs } = place;
    return this.#asked({ text: step.text, then: step.steps, otherwise: [] }, { exits, outputs }, false);
  }

  /** Asks a person, unless the previous step did, and runs the steps only when the answer is yes. */
  #asked(
    step: { text: string; then: readonly Step[]; otherwise: readonly Step[] },
    { exits, outputs, asked: question }: Place,
    turned: boolean,
  ): Place {
    const asked = question ?? this.#question(step, exits);
    asked['options'] = ['yes', 'no'];
    const check = this.#graph.add(
      'agreed',
      { type: 'typed_condition', left: `{{${asked.node_id}.answer}}`, operator: 'eq', right: 'yes' },
      [{ node: asked, field: 'next' }],
    );
    return this.#branches(step, check, turned, outputs);
  }

  #question(step: { text: string; then: readonly Step[] }, from: readonly Exit[]): DraftNode {
    const what = step.then.map(({ text }) => text).join(', ');
    const fields = { type: 'approval', question: `May this be done: ${what}?` };
    const why = 'a person confirms it first';
    return this.#add({ step: step.text, wish: 'ask', fields, why }, from);
  }

  #add({ wish, fields, step, ...choice }: Wanted, from: readonly Exit[]): DraftNode {
    const node = this.#graph.add(wish, { ...fields, description: step }, from);
    this.choices.push({ step, node_id: node.node_id, ...choice });
    return node;
  }

  #refuse(step: string, problem: string, help: string, place: Place): Place {
    this.problems.push({ step, problem, help });
    return place;
  }
}
