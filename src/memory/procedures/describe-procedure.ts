import { canonicalJson, type JsonObject } from '../../kernel/index.ts';
import type { FoundProcedure } from './find-procedures.ts';
import type { Procedure } from './types.ts';

/** A procedure in words, as a model or a person reads it. With `steps`, those are told instead of its own. */
export function describeProcedure(
  { name, description, trigger, pitfalls, checklist, ...own }: Procedure,
  steps: NonNullable<FoundProcedure['steps']> = own.steps,
): string {
  return [
    `${name}: for goals such as "${trigger.phrases[0] ?? name}".`,
    ...(description === undefined ? [] : [description]),
    ...steps.map(
      ({ title, acceptance }, i) =>
        `${i + 1}. ${title}${acceptance === undefined ? '' : ` (accepted when: ${acceptance.map(tell).join('; ')})`}`,
    ),
    ...(pitfalls.length === 0 ? [] : [`Known pitfalls: ${pitfalls.join('; ')}.`]),
    ...(checklist.length === 0 ? [] : [`Check at the end: ${checklist.join('; ')}.`]),
  ].join('\n');
}

function tell(criterion: JsonObject): string {
  const { judge } = criterion;
  return typeof judge === 'string' ? judge : canonicalJson(criterion);
}
