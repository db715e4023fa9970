/** Stands for a new line in a line that is being typed. */
const NEW_LINE = '⏎';
/** Stands for a tab. */
const TAB = '⇥';
const LONGEST_SHOWN = 2_000;

/**
 * What a person types and pastes, as one line that can be edited. New lines and tabs stand in it as marks, and a long text
 * that was pasted as a word for it.
 */
export class Draft {
  readonly #pasted = new Map<string, string>();

  /** What to put into the line for a text that is pasted: nothing in it can act as a key. */
  pasted(text: string): string {
    const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\n\t])\p{Cc}/gu, '');
    if (clean.length <= LONGEST_SHOWN) return toLine(clean);
    const word = `[pasted ${this.#pasted.size + 1}: ${clean.length} characters]`;
    this.#pasted.set(word, clean);
    return word;
  }

  /** What the line means. */
  textOf(line: string): string {
    const text = fromLine(line);
    return text.replaceAll(/\[pasted \d+: \d+ characters\]/g, (word) => this.#pasted.get(word) ?? word);
  }
}

/** A text as one line that can be edited. */
export function toLine(text: string): string {
  return text.replaceAll('\n', NEW_LINE).replaceAll('\t', TAB);
}

/** The text that such a line stands for. */
function fromLine(line: string): string {
  return line.replaceAll(NEW_LINE, '\n').replaceAll(TAB, '\t');
}

/** Whether the person goes on in the next line: it ends with a backslash that is not itself behind one. */
export function goesOn(line: string): boolean {
  return (/\\*$/.exec(line)?.[0].length ?? 0) % 2 === 1;
}
