/** The name that is fewest edits away, if it is near enough to be what was meant. Case does not count. */
export function nearestName(wanted: string, names: Iterable<string>): string | undefined {
  const target = wanted.toLowerCase();
  let best: string | undefined;
  let fewest = Math.max(2, Math.ceil(target.length / 2)) + 1;
  for (const name of names) {
    const edits = editsBetween(target, name.toLowerCase());
    if (edits < fewest) {
      fewest = edits;
      best = name;
    }
  }
  return best;
}

/** How many letters must be added, dropped or changed to make `b` of `a`. */
function editsBetween(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const dropped = (previous[column] as number) + 1;
      const added = (current[column - 1] as number) + 1;
      current.push(Math.min(changed, dropped, added));
    }
    previous = current;
  }
  return previous[b.length] as number;
}
