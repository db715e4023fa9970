import truncatedWidth from 'fast-string-truncated-width';

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text that can be shown on one line: control, format and broken characters become spaces. */
export function plainText(text: string): string {
  return text.toWellFormed().replace(UNSEEN, ' ').replace(/\s+/gu, ' ').trim();
}

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  return truncatedWidth(text).width;
}

/** The text, cut to a number of columns with a mark where it was cut. */
export function clip(text: string, columns: number, mark = '…'): string {
  const { index, truncated } = truncatedWidth(text, { limit: columns, ellipsis: mark });
  return truncated ? text.slice(0, index).trimEnd() + mark : text;
}
