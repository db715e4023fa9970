// Owns: pages and the cursors between them. A cursor is opaque to clients, so that its content can change.
import type { ErrorCode } from '../../api/index.ts';
import type { ListPlace } from '../../engine/index.ts';
import { OkaError } from '../../kernel/index.ts';

/** The cursor of the page after the row at this place. */
function toCursor({ at, id }: ListPlace): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

export function parseCursor(cursor: string): ListPlace {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    if (Number.isFinite(at) && typeof id === 'string') return { at: at as number, id };
  } catch {
    // Reported below.
  }
  throw new OkaError<ErrorCode>(
    'http.bad_request',
    `"${cursor}" is no cursor. Pass the \`next\` of the page before, or nothing for the first page.`,
    { data: { field: 'cursor' } },
  );
}

/** A page of rows that were read with one more than `limit`. */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
  placeOf: (row: Row) => ListPlace,
): { readonly items: readonly Row[]; readonly next?: string } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(found.length > limit && last !== undefined ? { next: toCursor(placeOf(last)) } : {}) };
}
