/** The position of one of the strings in a text. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const TABLE_SIZE = 1 << 16;

/**
 * Finds many strings in a text in one pass with the Wu-Manber algorithm: compares blocks of two characters and skips as
 * far as no string can match. Every string has at least `window` characters.
 */
export class StringFinder {
  readonly longest: number;
  readonly #window: number;
  readonly #shifts: Uint8Array;
  readonly #candidates = new Map<number, [text: string, name: string][]>();

  constructor(strings: ReadonlyMap<string, string>, window: number) {
    this.#window = window;
    this.#shifts = new Uint8Array(TABLE_SIZE).fill(window - 1);
    let longest = 0;
    for (const [text, name] of strings) {
      longest = Math.max(longest, text.length);
      for (let end = 1; end < window; end++) {
        const block = blockAt(text, end);
        this.#shifts[block] = Math.min(this.#shifts[block] as number, window - 1 - end);
      }
      const last = blockAt(text, window - 1);
      const candidates = this.#candidates.get(last) ?? [];
      this.#candidates.set(last, [...candidates, [text, name]]);
    }
    this.longest = longest;
  }

  /** The ranges that the strings cover, in order; overlapping ranges merge under the name of the longest. */
  find(text: string): readonly Found[] {
    const found: (Found & { readonly longest: number })[] = [];
    for (let end = this.#window - 1; end < text.length; ) {
      const block = blockAt(text, end);
      const shift = this.#shifts[block] as number;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const start = end - this.#window + 1;
      for (const [string, name] of this.#candidates.get(block) ?? []) {
        if (!text.startsWith(string, start)) continue;
        const previous = found.at(-1);
        const match = { start, end: start + string.length, name, longest: string.length };
        if (previous === undefined || previous.end <= start) found.push(match);
        else {
          const { name: kept, longest } = previous.longest >= match.longest ? previous : match;
          found[found.length - 1] = {
            start: previous.start,
            end: Math.max(previous.end, match.end),
            name: kept,
            longest,
          };
        }
      }
      end += 1;
    }
    return found;
  }
}

/** The two characters that end at `end`, as a number. */
function blockAt(text: string, end: number): number {
  return ((text.charCodeAt(end - 1) << 8) ^ text.charCodeAt(end)) & (TABLE_SIZE - 1);
}
