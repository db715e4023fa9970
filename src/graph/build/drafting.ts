import type { Step, ToolChooser } from '../../language/index.ts';
import type { GraphDefinition } from '../types.ts';
import { DraftGraph, type DraftNode, type Exit } from './draft-graph.ts';
import type { Output } from './outputs.ts';
import { type Misplaced, placeAction } from './place-action.ts';
import { readTest } from './read-test.ts';
import type { BuildTool, Choice } from './types.ts';

/** A step that has no place, why, and what would help. */
export interface Problem extends Misplaced {
  readonly step: string;
}

/** Where the drafting stands: the exits that wait for the next node, and what has been left behind so far. */
interface Place {
  readonly exits: readonly Exit[];
  readonly outputs: readonly Output[];
  /** The node of the step before, when it can fail. */
  readonly last?: DraftNode;
  /** The question of the step before. */
  readonly asked?: DraftNode;
}

/** A node to be added, and why. */
interface Wanted extends Omit<Choice, 'node_id'> {
  readonly wish: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Makes nodes of steps, one after the other, and keeps why it chose what and what it could not place. */
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
      return this.#refuse(
        step.text,
        'nothing is said to follow',
        'say what to do then, after a comma',
        place,
      );
    if (test?.kind === 'failed') return this.#onError(step, place);
    if (test?.kind === 'agreed') return this.#asked(step, place, step.negated !== test.negated);
    if (!test) {
      const help =
        'compare what the step before gave, as in "if it contains "x"", "if there are more than 3 matches" or "if it fails"; or build with a model';
      return this.#refuse(step.text, 'the condition cannot be read without a model', help, place);
    }
    const { left, operator, right } = test;
    const fields = { type: 'typed_condition', left, operator, ...(right === undefined ? {} : { right }) };
    const why = `${operator} compares what the condition speaks of`;
    const node = this.#add({ step: step.text, wish: 'check', fields, why }, place.exits);
    return this.#branches(step, node, step.negated !== test.negated, place.outputs);
  }

  /** Draws both branches; a turned test swaps them. What branches leave behind is not known after them. */
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

  /** The way that the step before takes when it fails; what it would have left is not known after it. */
  #onError(step: Step & { kind: 'condition' }, place: Place): Place {
    const { last, outputs } = place;
    if (!last || step.negated)
      return this.#refuse(
        step.text,
        'no step before it can fail',
        'put it after the step that may fail',
        place,
      );
    const before = outputs.slice(0, -1);
    const failed = this.#steps(step.then, { exits: [{ node: last, field: 'on_error' }], outputs: before });
    const well = this.#steps(step.otherwise, { exits: place.exits, outputs });
    return { exits: [...failed.exits, ...well.exits], outputs: before };
  }

  #guarded(step: Step & { kind: 'guarded' }, place: Place): Place {
    if (step.steps.length === 0)
      return this.#refuse(step.text, 'nothing is said to ask about', 'say what to ask before', place);
    const { exits, outputs } = place;
    return this.#asked({ text: step.text, then: step.steps, otherwise: [] }, { exits, outputs }, false);
  }

  /** Asks a person, unless the step before did, and takes the steps only when the answer is yes. */
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
    const why = 'a person is asked before it is done';
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
