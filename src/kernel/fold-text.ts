const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Plain text, the common case, needs only case folding. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Folds case, width, invisible characters and outer spaces. */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().trim();
  return text.replace(INVISIBLE, '').normalize('NFKC').toLowerCase().trim();
}

/** Folds a name as a file system does that ignores case, invisible characters or trailing dots. */
export function foldName(name: string): string {
  return withoutTrailingDots(foldText(name));
}

function withoutTrailingDots(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1;
  return name.slice(0, end);
}
