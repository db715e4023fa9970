import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

const PAGE_SIZE = 100;

/**
 * One page of a list in the order of its keys. The cursor holds the last key, so that a list which changes between two
 * pages loses and repeats nothing of what stays in it.
 */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
  size = PAGE_SIZE,
): { readonly items: readonly Item[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? undefined : keyBehind(cursor);
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

function keyBehind(cursor: string): string {
  try {
    const [key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof key === 'string') return key;
  } catch {
    // Answered below.
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'this cursor is none of ours; ask for the list from its beginning.',
  );
}
