import { RE2JS } from 're2js';

const LONGEST_PATTERN = 1_000;
const MOST_KEPT = 500;

const compiled = new Map<string, RE2JS>();

/** Compiles a pattern that matches in linear time; throws when it is none, or uses look-around or back references. */
export function compilePattern(pattern: string | RegExp): RE2JS {
  const key = String(pattern instanceof RegExp ? `${pattern.flags}/${pattern.source}` : `/${pattern}`);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (key.length > LONGEST_PATTERN) throw new Error(`it is longer than ${LONGEST_PATTERN} characters`);
  const made = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (compiled.size >= MOST_KEPT) compiled.clear();
  compiled.set(key, made);
  return made;
}

/** Why a pattern cannot be used; undefined when it can. */
export function findPatternProblem(pattern: string | RegExp): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
