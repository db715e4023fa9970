import type { NodeKind } from '../types.ts';
import type { NodeChange } from './types.ts';

const FIELDS = 4;
const LONGEST_TEXT = 65_536;
const LETTERS: Readonly<Record<NodeKind, string>> = { file: 'f', directory: 'd', link: 'l' };
const KINDS = new Map<string, NodeKind>(
  Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as NodeKind]),
);

/** How many files and links a delta adds, changes and removes. */
export interface DeltaCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * What differs between two roots, as the bytes that are stored: for each change letter, id before, id after and path, each
 * with a NUL behind it. Changes are added, and made into objects only when they are asked for.
 */
export class TreeDelta {
  /** It grows as changes come, because putting many pieces together at the end keeps everybody waiting. */
  #bytes = Buffer.allocUnsafeSlow(0);
  #used = 0;
  #text = '';
  #length = 0;
  readonly #leaves = { added: 0, changed: 0, removed: 0 };

  get length(): number {
    return this.#length;
  }

  get leaves(): DeltaCounts {
    return this.#leaves;
  }

  add(path: string, kind: NodeKind, before = '', after = ''): void {
    this.#text += `${LETTERS[kind]}\0${before}\0${after}\0${path}\0`;
    this.#length += 1;
    if (this.#text.length >= LONGEST_TEXT) this.#keepText();
    if (kind === 'directory') return;
    if (before === '') this.#leaves.added += 1;
    else if (after === '') this.#leaves.removed += 1;
    else this.#leaves.changed += 1;
  }

  /** Adds files and folders that are new, as bytes. */
  addNew(bytes: Uint8Array, nodes: number, files: number): void {
    this.#keepText();
    this.#append(bytes);
    this.#length += nodes;
    this.#leaves.added += files;
  }

  bytes(): Uint8Array {
    this.#keepText();
    return this.#bytes.subarray(0, this.#used);
  }

  changes(): readonly NodeChange[] {
    return decodeDelta(this.bytes()) ?? [];
  }

  #keepText(): void {
    if (this.#text !== '') this.#append(Buffer.from(this.#text, 'utf8'));
    this.#text = '';
  }

  #append(piece: Uint8Array): void {
    const used = this.#used + piece.length;
    if (used > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(used, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#used);
    this.#used = used;
  }
}

/** What stands in a delta for a node that is new. It runs in worker threads as the text that it is. */
export function newNodeText(letter: 'f' | 'd', path: string, id: string): string {
  return `${letter}\0\0${id}\0${path}\0`;
}

/** The changes of a delta; undefined for bytes that are none. */
export function decodeDelta(bytes: Uint8Array): readonly NodeChange[] | undefined {
  const fields = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').split('\0');
  if (fields.pop() !== '' || fields.length % FIELDS !== 0) return undefined;
  const changes: NodeChange[] = [];
  for (let at = 0; at < fields.length; at += FIELDS) {
    const kind = KINDS.get(fields[at] as string);
    if (kind === undefined) return undefined;
    const [before, after, path] = [fields[at + 1], fields[at + 2], fields[at + 3]] as [
      string,
      string,
      string,
    ];
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
