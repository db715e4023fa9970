// Owns: which fields of a call an allow row covers. I1 A field that widens a call is covered only by a row that names it.
import type { PolicyRequest } from '../engine/index.ts';
import { PATH_FIELDS } from './call-facts.ts';
import type { PolicyCondition, PolicyMatch } from './types.ts';

type Field = readonly (string | number)[];

/** The fields of a call that an allow row with this match does not cover, as a person writes them. */
export function uncoveredFields(
  { conditions }: PolicyMatch,
  { tool, input }: PolicyRequest,
): readonly string[] {
  const named = conditions.flatMap(fieldsNamed);
  const isNamed = (field: Field): boolean =>
    named.some((one) => one.length <= field.length && one.every((part, i) => part === field[i]));
  const widening = (widened(tool, input) ?? [['input']]).filter((field) => !isNamed(field));
  const fields = widening.map((field) => field.join('.'));
  return opensMore(conditions, tool, input) ? [...fields, 'argv'] : fields;
}

/** Whether a match names fields, so that an allow row with it covers more. */
export function namesFields(condition: PolicyCondition): boolean {
  return fieldsNamed(condition).length > 0;
}

/** Undefined if the tool cannot say, which then covers nothing but `any input`. */
function widened(tool: PolicyRequest['tool'], input: unknown): readonly (readonly string[])[] | undefined {
  try {
    return tool.widens?.(input) ?? [];
  } catch {
    return undefined;
  }
}

function fieldsNamed(condition: PolicyCondition): readonly Field[] {
  switch (condition.about) {
    case 'path':
      return PATH_FIELDS.map((name) => [name]);
    case 'cwd':
      return [['cwd']];
    case 'timeout':
      return [['timeout_seconds']];
    case 'any':
    case 'input':
      return [condition.field];
    default:
      return [];
  }
}

/** A row that names a read-only git command, such as `git diff`, does not cover options that make it write. */
function opensMore(
  conditions: readonly PolicyCondition[],
  { gitClass }: PolicyRequest['tool'],
  input: unknown,
): boolean {
  const { argv } = (input ?? {}) as { argv?: unknown };
  if (gitClass === undefined || !Array.isArray(argv) || argv.some((word) => typeof word !== 'string'))
    return false;
  return (
    gitClass(argv as string[]) === 'write' &&
    conditions.some((condition) => condition.about === 'argv' && gitClass(condition.words) === 'read')
  );
}
