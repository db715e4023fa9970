import type { Json, RunAnswer } from '../api/index.ts';
import { visible } from './printer.ts';

interface PlannedTask {
  readonly id: string;
  readonly title: string;
  readonly depends_on: readonly string[];
  readonly acceptance: readonly Json[];
}

/** A plan that nothing was done about: its tasks in order, what each waits for and what it has to meet. */
export function showPlan({ run, output }: RunAnswer): string {
  const { goal, tasks } = output as unknown as { goal: string; tasks: readonly PlannedTask[] };
  const lines = [`run       ${run.id}`, `goal      ${visible(goal)}`, ''];
  for (const [i, { id, title, depends_on: needs, acceptance }] of tasks.entries()) {
    lines.push(`${String(i + 1).padStart(3)}  ${visible(id)}  ${visible(title)}`);
    if (needs.length > 0) lines.push(`     after: ${needs.map(visible).join(', ')}`);
    for (const criterion of acceptance) lines.push(`     accepted when: ${showCriterion(criterion)}`);
  }
  return [...lines, '', `nothing was done; to do it, leave out --plan-only`].join('\n');
}

/** A criterion by its name and what it names, such as `file_exists: "a.md"`. */
function showCriterion(criterion: Json): string {
  const [name = '', about = null] = Object.entries(criterion as object)[0] ?? [];
  const text = about === true ? '' : `: ${JSON.stringify(about)}`;
  return visible(`${name.replaceAll('_', ' ')}${text}`);
}
