const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /\p{M}/u;

/** A text that can be shown on one line: control, format and broken characters become spaces. */
export function plainText(text: string): string {
  return text.toWellFormed().replace(UNSEEN, ' ').replace(/\s+/gu, ' ').trim();
}

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** How many columns one character takes: 0, 1 or 2. */
export function widthOf(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** The text, cut to a number of columns with a mark where it was cut. */
export function clip(text: string, columns: number, mark = '…'): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let left = columns - columnsOf(mark);
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) break;
    kept += character;
  }
  return kept.trimEnd() + mark;
}
