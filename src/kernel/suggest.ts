const MAX_WORK = 20_000_000;
const MAX_NAME_LENGTH = 200;
const MIN_PREFIX_LENGTH = 3;

/** Suggests the intended name. Gives up after many wrong names use up its work budget. */
export interface Suggester {
  nearest(name: string): string | undefined;
}

/** Creates a suggester over these names, for many lookups. */
export function createSuggester(names: Iterable<string>): Suggester {
  const byLength = new Map<number, string[]>();
  for (const name of names) {
    const peers = byLength.get(name.length);
    if (peers) peers.push(name);
    else byLength.set(name.length, [name]);
  }
  const known = new Map<string, string | undefined>();
  let work = 0;

  function search(name: string): string | undefined {
    const max = maxEdits(name);
    let best: string | undefined;
    let fewest = max + 1;
    for (let length = name.length - max; length <= name.length + max; length++) {
      for (const candidate of byLength.get(length) ?? []) {
        work += (name.length + 1) * (2 * max + 1);
        if (work > MAX_WORK) return best;
        const edits = countEdits(name, candidate, fewest - 1);
        if (edits < fewest) {
          fewest = edits;
          best = candidate;
        }
      }
    }
    return best;
  }

  return {
    nearest(name) {
      if (name.length > MAX_NAME_LENGTH) return undefined;
      if (!known.has(name)) known.set(name, search(name));
      return known.get(name);
    },
  };
}

/** The name closest to `name` if one is close; otherwise the only one with that prefix. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const all = [...names];
  return createSuggester(all).nearest(name) ?? onlyWithPrefix(name, all);
}

function onlyWithPrefix(name: string, names: readonly string[]): string | undefined {
  if (name.length < MIN_PREFIX_LENGTH) return undefined;
  const [first, second] = names.filter((candidate) => candidate.startsWith(name));
  return second === undefined ? first : undefined;
}

/** `Did you mean "x"?`, or `otherwise` when no name is close. */
export function didYouMean(nearest: string | undefined, otherwise: string): string {
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

function maxEdits(name: string): number {
  return Math.max(1, Math.min(4, Math.floor(name.length / 3)));
}

/** Counts insertions, deletions, changes and swaps of neighbouring letters, ignoring case; stops counting after `max`. */
function countEdits(from: string, to: string, max: number): number {
  const a = from.toLowerCase();
  const b = to.toLowerCase();
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    let smallest = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min(
        (above[column] as number) + 1,
        (line[column - 1] as number) + 1,
        (above[column - 1] as number) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        edits = Math.min(edits, (twoAbove[column - 2] as number) + 1);
      line.push(edits);
      smallest = Math.min(smallest, edits);
    }
    if (smallest > max) return max + 1;
    twoAbove = above;
    above = line;
  }
  return above[b.length] as number;
}
