import { RE2JS } from 're2js';

const MAX_PATTERN_LENGTH = 1_000;
const MAX_CACHED = 500;

const compiled = new Map<string, RE2JS>();

/** Compiles a pattern that matches in linear time. Throws when it is invalid, or uses look-around or back references. */
export function compilePattern(pattern: string | RegExp): RE2JS {
  const key = pattern instanceof RegExp ? `${pattern.flags}/${pattern.source}` : `/${pattern}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (key.length > MAX_PATTERN_LENGTH) throw new Error(`it is longer than ${MAX_PATTERN_LENGTH} characters`);
  const made = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (compiled.size >= MAX_CACHED) compiled.clear();
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

/** The part of RegExp that jsonata uses, in linear time: `exec` from `lastIndex` on. */
export class LinearRegex {
  lastIndex = 0;
  readonly #pattern: RE2JS;

  constructor(pattern: RegExp) {
    this.#pattern = compilePattern(pattern);
  }

  exec(text: string): (RegExpExecArray & { index: number }) | null {
    const matcher = this.#pattern.matcher(text);
    if (this.lastIndex > text.length || !matcher.find(this.lastIndex)) {
      this.lastIndex = 0;
      return null;
    }
    this.lastIndex = matcher.end();
    const groups = Array.from(
      { length: matcher.groupCount() + 1 },
      (_, group) => matcher.group(group) ?? undefined,
    );
    return Object.assign(groups, { index: matcher.start(), input: text }) as RegExpExecArray;
  }
}
