const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** Most texts are plain, and folding them is only a matter of case. */
const PLAIN = /^[\x20-\x7e]*$/;

/** What a careless reader would take a text for: case, width, unseen characters and outer spaces do not count. */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().trim();
  return text.replace(UNSEEN, '').normalize('NFKC').toLowerCase().trim();
}

/** What a file system that ignores case, unseen characters or trailing dots would take a name for. */
export function foldName(name: string): string {
  return withoutTrailingDots(foldText(name));
}

function withoutTrailingDots(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1;
  return name.slice(0, end);
}
