import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

const PAGE_SIZE = 100;

/** One page of a list, ordered by key. The cursor holds the last key, so that a changing list loses and repeats nothing. */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
  size = PAGE_SIZE,
): { readonly items: readonly Item[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? undefined : keyOfCursor(cursor);
  const rest = items
    .map((item) => ({ item, key: keyOf(item) }))
    .filter(({ key }) => after === undefined || key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = rest.slice(0, size);
  const last = page.at(-1);
  return {
    items: page.map(({ item }) => item),
    ...(last !== undefined && rest.length > size ? { nextCursor: cursorAt(last.key) } : {}),
  };
}

function cursorAt(key: string): string {
  return Buffer.from(JSON.stringify([key])).toString('base64url');
}

function keyOfCursor(cursor: string): string {
  try {
    const [key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof key === 'string') return key;
  } catch {
    // Handled below.
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'Invalid cursor. Request the list from the beginning.',
  );
}
