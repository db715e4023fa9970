import type { ExplainedAction, Explanation } from '../../engine/index.ts';
import { canonicalJson, type Json } from '../../kernel/index.ts';
import { showConfinement } from '../process/show-confinement.ts';

const MAX_VALUE_LENGTH = 160;

/** A run as sentences, in order. Runs nothing. */
export function narrate(explanation: Explanation): string[] {
  const { run, actions, notes, recoveries } = explanation;
  const told = [
    ...actions.map((action) => ({ at: action.at, order: 0, text: tellAction(action) })),
    ...recoveries.map(({ at, step, what }) => ({ at, order: 1, text: `${step}. Recovery: ${what}` })),
    ...notes.map((note) => ({ at: note.at, order: 2, text: note.what })),
  ].sort((a, b) => a.at - b.at || a.order - b.order);
  const end =
    run.endedAt === undefined
      ? `It is ${run.status} in the state ${run.state}.`
      : `It ${run.status} in the state ${run.state}.`;
  return [`Run ${run.id} set out to: ${run.goal}`, ...told.map((line) => line.text), end];
}

function tellAction(action: ExplainedAction): string {
  const head = `${action.step}. In ${action.state}: `;
  const why = `, because ${action.rationale}`;
  const verdicts = action.verdicts.length > 0 ? ` [${action.verdicts.join('; ')}]` : '';
  switch (action.decision) {
    case 'call_tool': {
      const sandbox = showConfinement(action.output);
      const result = action.expected
        ? `found nothing: ${action.failure?.message}`
        : action.failure
          ? `failed with ${action.failure.code}: ${action.failure.message}`
          : `answered ${short(action.output)}${sandbox === undefined ? '' : ` (${sandbox})`}`;
      return `${head}called ${action.tool} with ${short(action.input)}${why}${verdicts}; it ${action.outcome === 'refused' ? `was refused: ${action.failure?.message}` : result}`;
    }
    case 'transition':
      return `${head}moved on to ${String(action.input)}${why}`;
    case 'ask_human':
      return `${head}asked a person: ${String(action.input)}${why}${verdicts}${action.output === undefined ? '' : `; the answer was ${short(action.output)}`}`;
    case 'finish':
      return `${head}finished${why}`;
    default:
      return `${head}gave up${why}`;
  }
}

function short(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : canonicalJson(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
