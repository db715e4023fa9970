/** A test for names by patterns in which `*` stands for any letters. Takes time linear in the name for each pattern. */
export function matchNames(patterns: readonly string[]): (name: string) => boolean {
  const split = patterns.map((pattern) => pattern.split('*'));
  return (name) => split.some((parts) => fits(name, parts));
}

/** The parts must come in their order, the first at the beginning and the last at the end. */
function fits(name: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + last.length <= name.length;
}
