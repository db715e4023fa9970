import type { Json, RunAnswer } from '../api/index.ts';
import { visible } from './printer.ts';

interface PlannedTask {
  readonly id: string;
  readonly title: string;
  readonly depends_on: readonly string[];
  readonly acceptance: readonly Json[];
}

/** Shows the tasks of a plan in order, with dependencies and criteria. */
export function showPlan({ run, output }: RunAnswer): string {
  const { goal, tasks } = output as unknown as { goal: string; tasks: readonly PlannedTask[] };
  const lines = [`run       ${run.id}`, `goal      ${visible(goal)}`, ''];
  for (const [i, { id, title, depends_on: needs, acceptance }] of tasks.entries()) {
    lines.push(`${String(i + 1).padStart(3)}  ${visible(id)}  ${visible(title)}`);
    if (needs.length > 0) lines.push(`     after: ${needs.map(visible).join(', ')}`);
    for (const criterion of acceptance) lines.push(`     accepted when: ${showCriterion(criterion)}`);
  }
  return [...lines, '', 'Nothing was done. To run it, omit --plan-only'].join('\n');
}

/** Such as `file exists: "a.md"`. */
function showCriterion(criterion: Json): string {
  const [name = '', about = null] = Object.entries(criterion as object)[0] ?? [];
  const text = about === true ? '' : `: ${JSON.stringify(about)}`;
  return visible(`${name.replaceAll('_', ' ')}${text}`);
}
