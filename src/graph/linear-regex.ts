import type { RE2JS } from 're2js';
import { compilePattern } from './patterns.ts';

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
