import { IgnoreRules, utf8Bytes } from '../context/index.ts';

const MOST_ALTERNATIVES = 64;

/**
 * A test for paths by a glob as ignore files write it: `*.ts` anywhere, `/src/**` from the root, `{a,b}` for either.
 * Matching takes time linear in the path, whatever the pattern.
 */
export function matchGlob(pattern: string): (path: string) => boolean {
  const rules = IgnoreRules.none.with('', utf8Bytes([...alternatives(pattern)].join('\n')));
  // A pattern that matches a folder matches everything in it.
  return (path) =>
    foldersAbove(path).some((folder) => rules.leaveOutPath(folder, true)) || rules.leaveOutPath(path, false);
}

/** The folders above a path, the topmost first. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join('/'));
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
