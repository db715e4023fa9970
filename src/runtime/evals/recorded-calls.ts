import { isLargeOutput, staysInside, type Tool } from '../../engine/index.ts';
import { type CaseRun, caseEvents, type EvalCase } from '../../eval/index.ts';
import { asObject, canonicalJson, type Failure, type Json, OkaError } from '../../kernel/index.ts';
import { replayableCalls } from './replayable-calls.ts';

/** Tools that start other runs, which are live too. */
const STARTS_RUNS: readonly string[] = ['engine.run_children', 'graph.run'];

/** The recorded outcomes of calls and the decisions of people, for a run that may decide otherwise. */
export class RecordedCalls {
  readonly #blobs: EvalCase['blobs'];
  readonly #outcomes = new Map<string, Json[]>();
  readonly #approved = new Set<string>();
  readonly #answers = new Map<string, string>();
  /** The run has changed files in a way that the record has not, so recorded reads no longer apply. */
  #isChanged = false;

  constructor(one: EvalCase) {
    this.#blobs = one.blobs;
    for (const run of one.runs) this.#read(run);
  }

  #read(run: CaseRun): void {
    for (const { tool, input, outcome } of replayableCalls(caseEvents(run))) {
      const key = keyOf(tool, input);
      this.#outcomes.set(key, [...(this.#outcomes.get(key) ?? []), outcome]);
    }
    const asked = new Map<string, Json>();
    for (const { type, data, body } of run.events) {
      const content = asObject(body);
      if (type === 'approval.requested')
        asked.set(String(data['id']), [data['tool'] ?? null, content['arguments'] ?? null]);
      if (type === 'question.asked') asked.set(String(data['id']), content['question'] ?? '');
      const open = asked.get(String(data['id']));
      if (type === 'approval.granted' && Array.isArray(open))
        this.#approved.add(keyOf(String(open[0]), open[1] as Json));
      if (type === 'question.answered' && typeof open === 'string')
        this.#answers.set(open, String(content['answer']));
    }
  }

  isApproved(tool: string, input: Json): boolean {
    return this.#approved.has(keyOf(tool, input));
  }

  answerTo(question: string): string | undefined {
    return this.#answers.get(question);
  }

  /** A tool that returns the recorded outcome of the same call, and otherwise only works on the overlay. */
  answering(tool: Tool): Tool {
    if (STARTS_RUNS.includes(tool.name) || tool.spends !== undefined) return tool;
    const isOverlaid = staysInside(tool);
    const handler: Tool['handler'] = (input, context) => {
      const outcome = this.#next(tool.name, input as Json);
      if (tool.simulatable === true && isOverlaid) {
        if (outcome === undefined) this.#isChanged = true;
        return tool.handler(input, context);
      }
      if (outcome !== undefined && !(isOverlaid && this.#isChanged)) return this.#answer(outcome);
      const isHarmless = tool.annotations.readOnly && tool.ledgerOnly === true;
      if (isOverlaid || isHarmless || tool.recordsOnly === true) return tool.handler(input, context);
      const message = `${tool.name} was not called with this input in the recorded run, and an eval makes no new calls outside the workspace.`;
      throw new OkaError('eval.not_recorded', message);
    };
    return isOverlaid ? { ...tool, handler } : { ...withoutPreimage(tool), handler };
  }

  #next(tool: string, input: Json): Json | undefined {
    const recorded = this.#outcomes.get(keyOf(tool, input));
    return recorded !== undefined && recorded.length > 1 ? recorded.shift() : recorded?.[0];
  }

  #answer(outcome: Json): Json {
    const { output = null, failure } = asObject(outcome);
    if (failure !== undefined) {
      const { code, message } = failure as unknown as Failure;
      throw new OkaError(code, message);
    }
    if (!isLargeOutput(output)) return output;
    const blob = this.#blobs[(output as { artifact: string }).artifact];
    return blob === undefined ? output : (JSON.parse(blob) as Json);
  }
}

function keyOf(tool: string, input: Json): string {
  return `${tool} ${canonicalJson(input)}`;
}

function withoutPreimage({ preimage: _, ...tool }: Tool): Tool {
  return tool;
}
