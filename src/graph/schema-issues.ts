import type * as z from 'zod';
import { createSuggester, didYouMean, nearestName } from '../kernel/index.ts';
import { jsonPath, shortJson, valueAt } from './json-value.ts';
import type { FieldPath } from './node-type.ts';

/** One way in which a value does not fit a schema. */
export interface SchemaIssue {
  readonly kind: 'missing' | 'unknown' | 'wrong_type' | 'invalid';
  readonly path: FieldPath;
  readonly message: string;
  readonly suggestion?: string;
}

type Issue = z.core.$ZodIssue;
type KnownKeys = (path: FieldPath) => readonly string[];

/** Describes issues of a schema in sentences. `known` returns the allowed keys at a path, for suggestions. */
export function readIssues(issues: readonly Issue[], value: unknown, known: KnownKeys): SchemaIssue[] {
  return issues.flatMap((issue) => readIssue(issue, value, known));
}

function readIssue(issue: Issue, value: unknown, known: KnownKeys): SchemaIssue[] {
  const path = issue.path as FieldPath;
  const field = nameOf(path);
  const found = valueAt(value, path);
  if (issue.code === 'unrecognized_keys') {
    const names = createSuggester(known(path));
    return issue.keys.map((key) => ({
      kind: 'unknown',
      path: [...path, key],
      message: `there is no field "${key}" here.`,
      suggestion: didYouMean(names.nearest(key), 'Remove it.'),
    }));
  }
  if (found === undefined && path.length > 0) {
    return [{ kind: 'missing', path, message: `${field} is missing.`, suggestion: `Add ${field}.` }];
  }
  switch (issue.code) {
    case 'invalid_type':
      return [
        {
          kind: 'wrong_type',
          path,
          message: `${field} must be ${typeText(issue.expected)}, not ${typeName(found)}.`,
        },
      ];
    case 'invalid_value':
      return [notOneOf(path, field, issue.values, found)];
    case 'invalid_union':
      return fromUnion(issue, value, known);
    default:
      return [{ kind: 'invalid', path, message: `${field} ${limitText(issue)}.` }];
  }
}

function notOneOf(path: FieldPath, field: string, values: readonly unknown[], found: unknown): SchemaIssue {
  const nearest = typeof found === 'string' ? nearestName(found, values.map(String)) : undefined;
  return {
    kind: 'invalid',
    path,
    message: `${field} must be ${values.map((one) => JSON.stringify(one)).join(', ')}; it is ${shortJson(found, 60)}.`,
    ...(nearest === undefined ? {} : { suggestion: `Did you mean "${nearest}"?` }),
  };
}

/** The issues of the nearest alternative: one that fails for another reason than its type. */
function fromUnion(
  issue: Issue & { code: 'invalid_union' },
  value: unknown,
  known: KnownKeys,
): SchemaIssue[] {
  const nearest = issue.errors.find((issues) => issues.some((one) => one.code !== 'invalid_type'));
  if (nearest !== undefined) {
    const moved = nearest.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    return readIssues(moved, value, known);
  }
  const types = issue.errors.flatMap((issues) =>
    issues.map((one) => (one.code === 'invalid_type' ? typeText(one.expected) : '')),
  );
  const wanted = types.length > 0 ? `must be ${types.join(' or ')}` : 'fits several alternatives';
  const path = issue.path as FieldPath;
  const message = `${nameOf(path)} ${wanted}; it is ${typeName(valueAt(value, path))}.`;
  return [{ kind: 'wrong_type', path, message }];
}

function limitText(issue: Issue): string {
  switch (issue.code) {
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit(issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'regex'
        ? 'contains characters that are not allowed'
        : `is not a valid ${issue.format}`;
    default:
      return 'is not an allowed value';
  }
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

function typeText(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a number with a fraction';
  return TYPE_NAMES[typeof value] ?? 'nothing';
}

function nameOf(path: FieldPath): string {
  const last = path.at(-1);
  if (last === undefined) return 'the value';
  return typeof last === 'string' ? `"${last}"` : jsonPath(path.slice(-2)).slice(2);
}
