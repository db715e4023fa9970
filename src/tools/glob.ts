import ignore from 'ignore';

const MOST_ALTERNATIVES = 64;

/**
 * A test for paths by a glob as ignore files write it: `*.ts` anywhere, `/src/**` from the root, `{a,b}` for either.
 * Matching takes time linear in the path, whatever the pattern.
 */
export function matchGlob(pattern: string): (path: string) => boolean {
  const matcher = ignore({ ignorecase: false }).add([...alternatives(pattern)]);
  return (path) => matcher.ignores(path);
}

/** The patterns without braces that a pattern stands for. */
function alternatives(pattern: string): ReadonlySet<string> {
  const group = /\{([^{}]*,[^{}]*)\}/;
  const whole = new Set([pattern]);
  for (const candidate of whole) {
    const found = group.exec(candidate);
    if (!found || whole.size > MOST_ALTERNATIVES) continue;
    whole.delete(candidate);
    const [before, after] = [candidate.slice(0, found.index), candidate.slice(found.index + found[0].length)];
    for (const choice of (found[1] as string).split(',')) whole.add(before + choice + after);
  }
  return whole;
}
