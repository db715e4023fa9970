import { outputText, type RunAnswer } from '../api/index.ts';
import type { Printer } from './printer.ts';
import { completeBlocks, renderMarkdown } from './render-markdown.ts';

/** Prints the text of a model on a terminal while it arrives, one Markdown block at a time. */
export class AnswerStream {
  readonly #printer: Printer;
  #turn = '';
  #lastTurn = '';
  #rest = '';

  constructor(printer: Printer) {
    this.#printer = printer;
  }

  push(text: string): void {
    this.#turn += text;
    const { done, rest } = completeBlocks(this.#rest + text);
    this.#rest = rest;
    this.#print(done);
  }

  /** The next text belongs to another answer. */
  endTurn(): void {
    this.#print(this.#rest);
    if (this.#turn !== '') this.#lastTurn = this.#turn.trim();
    this.#rest = '';
    this.#turn = '';
  }

  /** Prints the rest of the text. True if the person has now seen all of this answer. */
  hasShown({ output }: RunAnswer): boolean {
    this.endTurn();
    return this.#lastTurn !== '' && output !== null && this.#lastTurn === outputText(output).trim();
  }

  #print(text: string): void {
    if (text.trim() !== '') this.#printer.block(renderMarkdown(text, markdownOptions(this.#printer)));
  }
}

/** Lines as long as the terminal is wide are hard to read on a wide one. */
const MAX_WIDTH = 100;

export function markdownOptions(printer: Printer): Parameters<typeof renderMarkdown>[1] {
  return { width: Math.min(MAX_WIDTH, process.stdout.columns ?? 80), colors: printer.dataColors };
}
