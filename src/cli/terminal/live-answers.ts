import { type Printer, visible } from '../printer.ts';

const COLOURS = ['cyan', 'magenta', 'yellow', 'blue', 'green', 'red'] as const;

/** Colours a name by its hash. The user has no colour. */
export function showSpeaker(name: string, colours: Printer['dataColors']): string {
  if (name === 'user') return colours.bold(name);
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return colours.bold(colours[COLOURS[sum % COLOURS.length] ?? 'cyan'](name));
}

/** Answers that stream and are not stored yet, by agent. */
export class LiveAnswers {
  readonly #colours: Printer['dataColors'];
  readonly #words = new Map<string, string>();

  constructor(colours: Printer['dataColors']) {
    this.#colours = colours;
  }

  begin(from: string): void {
    if (!this.#words.has(from)) this.#words.set(from, '');
  }

  append(from: string, words: string): void {
    this.#words.set(from, (this.#words.get(from) ?? '') + words);
  }

  /** Removes the text that an agent streamed before a step; false if it streamed something else. */
  take(from: string, said: string): boolean {
    const words = this.#words.get(from)?.trimStart() ?? '';
    if (said === '' || !words.startsWith(said)) return false;
    this.#words.set(from, words.slice(said.length));
    return true;
  }

  end(from: string): void {
    this.#words.delete(from);
  }

  get agents(): readonly string[] {
    return [...this.#words.keys()];
  }

  text(): string {
    return [...this.#words]
      .map(([from, words]) => {
        const name = showSpeaker(from, this.#colours);
        return words.trim() === ''
          ? `${name} ${this.#colours.dim('…')}`
          : `${name}\n${visible(words.trim())}`;
      })
      .join('\n');
  }
}
