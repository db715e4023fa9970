const MOST_WORK = 20_000_000;
const LONGEST_NAME = 200;
const SHORTEST_BEGINNING = 3;

/** Finds the name that was probably meant. Gives up when many wrong names have used up its share of work. */
export interface Suggester {
  nearest(name: string): string | undefined;
}

/** A suggester over the given names, for many questions. */
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
    const most = mostEdits(name);
    let best: string | undefined;
    let fewest = most + 1;
    for (let length = name.length - most; length <= name.length + most; length++) {
      for (const candidate of byLength.get(length) ?? []) {
        work += (name.length + 1) * (2 * most + 1);
        if (work > MOST_WORK) return best;
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
      if (name.length > LONGEST_NAME) return undefined;
      if (!known.has(name)) known.set(name, search(name));
      return known.get(name);
    },
  };
}

/** The name that is nearest to `name`, if one is near; else the only one that begins like it. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const all = [...names];
  return createSuggester(all).nearest(name) ?? onlyBeginning(name, all);
}

function onlyBeginning(name: string, names: readonly string[]): string | undefined {
  if (name.length < SHORTEST_BEGINNING) return undefined;
  const [first, second] = names.filter((candidate) => candidate.startsWith(name));
  return second === undefined ? first : undefined;
}

/** `Did you mean "x"?`, or what to do when nothing is near. */
export function didYouMean(nearest: string | undefined, otherwise: string): string {
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

function mostEdits(name: string): number {
  return Math.max(1, Math.min(4, Math.floor(name.length / 3)));
}

/**
 * How many letters must be put in, taken out, changed or swapped with their neighbour, without regard to case; counting
 * stops beyond `most`.
 */
function countEdits(from: string, to: string, most: number): number {
  const a = from.toLowerCase();
  const b = to.toLowerCase();
  if (Math.abs(a.length - b.length) > most) return most + 1;
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
    if (smallest > most) return most + 1;
    twoAbove = above;
    above = line;
  }
  return above[b.length] as number;
}
