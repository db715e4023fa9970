/** Shown for a line break in the input line. */
const NEW_LINE = '⏎';
/** Shown for a tab. */
const TAB = '⇥';
const MAX_SHOWN_PASTE = 2_000;

/** Input as one editable line: line breaks and tabs become marks, and a long paste becomes a placeholder. */
export class Draft {
  readonly #pasted = new Map<string, string>();

  /** The text to insert for a paste, without control characters. */
  pasted(text: string): string {
    const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\n\t])\p{Cc}/gu, '');
    if (clean.length <= MAX_SHOWN_PASTE) return toLine(clean);
    const word = `[pasted ${this.#pasted.size + 1}: ${clean.length} characters]`;
    this.#pasted.set(word, clean);
    return word;
  }

  textOf(line: string): string {
    const text = fromLine(line);
    return text.replaceAll(/\[pasted \d+: \d+ characters\]/g, (word) => this.#pasted.get(word) ?? word);
  }
}

export function toLine(text: string): string {
  return text.replaceAll('\n', NEW_LINE).replaceAll('\t', TAB);
}

function fromLine(line: string): string {
  return line.replaceAll(NEW_LINE, '\n').replaceAll(TAB, '\t');
}

/** Whether the line ends with an unescaped backslash. */
export function isContinued(line: string): boolean {
  return (/\\*$/.exec(line)?.[0].length ?? 0) % 2 === 1;
}
