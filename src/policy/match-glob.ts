import { matchText } from '../kernel/index.ts';

/** Whether a path matches a glob, segment by segment: `**` matches any number of segments, including none. */
export function matchPath(glob: readonly string[], path: readonly string[]): boolean {
  let g = 0;
  let p = 0;
  let stars = -1;
  let resume = 0;
  while (p < path.length) {
    const wanted = glob[g];
    if (wanted === '**') {
      stars = g;
      resume = p;
      g += 1;
    } else if (wanted !== undefined && matchText(wanted, path[p] as string, true)) {
      g += 1;
      p += 1;
    } else if (stars >= 0) {
      g = stars + 1;
      resume += 1;
      p = resume;
    } else return false;
  }
  while (glob[g] === '**') g += 1;
  return g === glob.length;
}

/** The folders above everything that a glob matches: its part before the first `**`, or before its last name. */
export function parentFolders(glob: readonly string[]): readonly string[] {
  const stars = glob.indexOf('**');
  return glob.slice(0, stars < 0 ? -1 : stars);
}

/** Whether a path is one of these folders, or the workspace itself. */
export function isParentFolder(parents: readonly string[], path: readonly string[]): boolean {
  return (
    path.length <= parents.length &&
    path.every((segment, i) => matchText(parents[i] as string, segment, true))
  );
}
