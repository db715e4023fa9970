// Owns: how text that Oka did not write (of a model, a tool, a file, a name, a page) is shown.
// Pure, and without imports: the web app uses it too.

/** Control, format and invisible characters. Line breaks, tabs, variants of emoji and joiners between emoji may stay. */
const HIDDEN =
  /(?!\n|\t|\ufe0e|\ufe0f)(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Shows characters that move the cursor, reorder text or are not visible as `\u{…}`. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, escaped);
}

/** JSON whose strings have no such characters. Its value is the same. */
export function visibleJson(json: string): string {
  return json.replaceAll(HIDDEN, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Runs of one character that is not plainly visible. The marks themselves are among them, so that text cannot forge them. */
const UNMARKED = /( |[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800⏎⇥␠])\1*/gu;
const MARKS: Readonly<Record<string, string>> = { '\n': '⏎', '\t': '⇥', ' ': '␠' };
const LONG_RUN = 4;

/**
 * Shows a text on one line from which nothing is missing, for a person who decides on it. Line breaks, tabs and runs of
 * spaces become marks such as `⏎` and `[␠×5000]`.
 */
export function marked(text: string, longRun = LONG_RUN): string {
  return text.replaceAll(UNMARKED, (run, one: string) => {
    const length = run.length / one.length;
    if (one === ' ' && length < longRun) return run;
    const mark = MARKS[one] ?? escaped(one);
    return length === 1 ? mark : `[${mark}×${length}]`;
  });
}

const LONG_INDENT = 41;

/** A line of a diff as a person decides on it. Indentation stays. */
export function markedDiffLine(line: string): string {
  return marked(line.replaceAll('\t', '    '), LONG_INDENT);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
