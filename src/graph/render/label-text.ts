import truncatedWidth from 'fast-string-truncated-width';

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text for one line: control, format and broken characters become spaces. */
export function plainText(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, ' ').replace(/\s+/gu, ' ').trim();
}

/** The width of a text in terminal columns. */
export function columnsOf(text: string): number {
  return truncatedWidth(text).width;
}

/** Cuts a text to a number of columns, with a mark at the end. */
export function clip(text: string, columns: number, mark = '…'): string {
  const { index, truncated } = truncatedWidth(text, { limit: columns, ellipsis: mark });
  return truncated ? text.slice(0, index).trimEnd() + mark : text;
}
