import type { NodeKind } from '../types.ts';
import type { NodeChange } from './types.ts';

const FIELDS = 4;
const LETTERS: Readonly<Record<NodeKind, string>> = { file: 'f', directory: 'd', link: 'l' };
const KINDS = new Map<string, NodeKind>(
  Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as NodeKind]),
);

/** The bytes of a delta: for each change letter, id before, id after and path, each with a NUL behind it. */
export function encodeDelta(changes: readonly NodeChange[]): Uint8Array {
  let text = '';
  for (const { path, kind, before = '', after = '' } of changes)
    text += `${LETTERS[kind]}\0${before}\0${after}\0${path}\0`;
  return Buffer.from(text, 'utf8');
}

/** The changes of a delta; undefined for bytes that are none. */
export function decodeDelta(bytes: Uint8Array): readonly NodeChange[] | undefined {
  const fields = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').split('\0');
  if (fields.pop() !== '' || fields.length % FIELDS !== 0) return undefined;
  const changes: NodeChange[] = [];
  for (let at = 0; at < fields.length; at += FIELDS) {
    const [letter, before, after, path] = fields.slice(at, at + FIELDS) as [string, string, string, string];
    const kind = KINDS.get(letter);
    if (kind === undefined) return undefined;
    changes.push(change({ path, kind, before, after }));
  }
  return changes;
}

/** The same changes the other way round. */
export function reverseDelta(changes: readonly NodeChange[]): readonly NodeChange[] {
  return changes.map(({ path, kind, before = '', after = '' }) =>
    change({ path, kind, before: after, after: before }),
  );
}

/** What one delta after the other comes to, ordered by path; what ends as it began is left out. */
export function joinDeltas(deltas: readonly (readonly NodeChange[])[]): readonly NodeChange[] {
  const joined = new Map<string, NodeChange>();
  for (const delta of deltas) {
    for (const { path, kind, before = '', after = '' } of delta) {
      const earlier = joined.get(path);
      const from = earlier === undefined ? before : (earlier.before ?? '');
      if (from === after) joined.delete(path);
      else joined.set(path, change({ path, kind, before: from, after }));
    }
  }
  return [...joined.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function change(given: { path: string; kind: NodeKind; before: string; after: string }): NodeChange {
  const { path, kind, before, after } = given;
  return { path, kind, ...(before === '' ? {} : { before }), ...(after === '' ? {} : { after }) };
}
