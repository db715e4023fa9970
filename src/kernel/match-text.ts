/**
 * Whether a text fits a pattern in which `*` stands for any run of characters and, if told so, `?` for one. Takes time in
 * proportion to the text times the pattern at the worst; there is nothing to backtrack into but the last star.
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
