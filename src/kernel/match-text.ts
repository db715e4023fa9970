/**
 * Whether a text matches a pattern in which `*` matches any run of characters and, with `questionMark`, `?` matches one.
 * The worst case is linear in text length times pattern length, because only the last star is backtracked.
 */
export function matchText(pattern: string, text: string, questionMark = false): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    const wanted = pattern[p];
    if (wanted === '*') {
      star = p;
      resume = t;
      p += 1;
    } else if (wanted !== undefined && (wanted === text[t] || (questionMark && wanted === '?'))) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      resume += 1;
      t = resume;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
