import type { Printer } from '../printer.ts';
import { visible } from '../printer.ts';
import { showSpeaker } from './speaker.ts';

/** What is being said and not stored yet, and who is at work. */
export class LiveSpeech {
  readonly #colours: Printer['dataColors'];
  readonly #words = new Map<string, string>();

  constructor(colours: Printer['dataColors']) {
    this.#colours = colours;
  }

  /** Somebody begins to work on an answer. */
  begin(from: string): void {
    if (!this.#words.has(from)) this.#words.set(from, '');
  }

  hear(from: string, words: string): void {
    this.#words.set(from, (this.#words.get(from) ?? '') + words);
  }

  /** Takes away what somebody said before they went on, if they did say that. */
  take(from: string, said: string): boolean {
    const words = this.#words.get(from)?.trimStart() ?? '';
    if (said === '' || !words.startsWith(said)) return false;
    this.#words.set(from, words.slice(said.length));
    return true;
  }

  /** Somebody has ended. */
  end(from: string): void {
    this.#words.delete(from);
  }

  get speakers(): readonly string[] {
    return [...this.#words.keys()];
  }

  /** All of it, to be shown above the line that is typed. */
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
