import { isRefusedKey } from '../json-value.ts';
import type { FieldPath, Finding } from '../node-type.ts';

const MAX_DEPTH = 200;
const MAX_VALUES = 5_000_000;

interface Place {
  readonly value: unknown;
  readonly depth: number;
  readonly key: string | number;
  readonly parent: Place | undefined;
}

/**
 * Checks that a value is plain JSON, not too deep and not too large, without keys that could reach a prototype. Other
 * code may walk the value only if it is `sound`.
 */
export function checkJson(source: unknown): { sound: boolean; findings: readonly Finding[] } {
  const findings: Finding[] = [];
  let sound = true;
  let count = 0;
  const waiting: Place[] = [{ value: source, depth: 0, key: '', parent: undefined }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    count += 1;
    const problem = count > MAX_VALUES ? TOO_LARGE : problemOf(place);
    if (problem !== undefined) {
      findings.push({ ...problem, field: pathOf(place) });
      sound = false;
      if (problem === TOO_LARGE) break;
      continue;
    }
    if (place.value === null || typeof place.value !== 'object') continue;
    for (const member of membersOf(place)) {
      if (typeof member.key === 'string') {
        if (isRefusedKey(member.key)) findings.push(refusedKey(member));
        if (!member.key.isWellFormed()) {
          findings.push({ ...HALF_CHARACTER, field: pathOf(place) });
          sound = false;
        }
      }
      waiting.push(member);
    }
  }
  return { sound, findings: sound ? findings : findings.slice(0, 20) };
}

/** The members of a list or an object, last first, so that the stack returns them in order. */
function membersOf(place: Place): Place[] {
  const depth = place.depth + 1;
  const members: Place[] = Array.isArray(place.value)
    ? Array.from(place.value, (value: unknown, key) => ({ value, depth, key, parent: place }))
    : Object.entries(place.value as object).map(([key, value]) => ({ value, depth, key, parent: place }));
  return members.reverse();
}

type Problem = Omit<Finding, 'field'>;

const TOO_LARGE: Problem = {
  code: 'graph.too_large',
  message: `the definition has more than ${MAX_VALUES} values.`,
  suggestion: 'Split it into several graphs and join them with subgraph nodes.',
};

const TOO_DEEP: Problem = {
  code: 'graph.too_deep',
  message: `values are nested deeper than ${MAX_DEPTH} levels here.`,
  suggestion: 'Make the definition flatter.',
};

const HALF_CHARACTER: Problem = {
  code: 'graph.not_json',
  message: 'a text here contains half of a character (a lone surrogate).',
  suggestion: 'Write the whole character.',
};

function problemOf({ value, depth }: Place): Problem | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? undefined : HALF_CHARACTER;
    case 'number':
      return Number.isFinite(value) ? undefined : notJson(String(value));
    case 'boolean':
      return undefined;
    case 'object':
      if (value === null) return undefined;
      if (depth > MAX_DEPTH) return TOO_DEEP;
      return isPlain(value) ? undefined : notJson('an object of a class');
    default:
      return notJson(`a value of type ${typeof value}`);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function notJson(what: string): Problem {
  return {
    code: 'graph.not_json',
    message: `${what} is not JSON.`,
    suggestion: 'Use plain JSON.',
  };
}

function refusedKey(place: Place): Finding {
  return {
    code: 'graph.refused_key',
    field: pathOf(place),
    message: `the key "${place.key}" could reach a prototype.`,
    suggestion: 'Choose another key.',
  };
}

function pathOf(place: Place): FieldPath {
  const path: (string | number)[] = [];
  for (let at: Place = place; at.parent !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
