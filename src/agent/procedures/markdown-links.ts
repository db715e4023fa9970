/** A link as it stands in a document. */
interface MarkdownLink {
  readonly target: string;
  readonly line: number;
}

/** What links can be checked with: where a document points to, and what can be pointed to in it. */
export interface LinkedDocument {
  readonly links: readonly MarkdownLink[];
  readonly anchors: ReadonlySet<string>;
}

/** Lines longer than this are not prose. */
const LONGEST_LINE = 10_000;
/** The end of a link or image, which tells where it leads; what stands in the brackets does not matter. */
const INLINE =
  /(?<!\\)\]\(\s*(?:<([^<>]*)>|((?:[^\s()]|\([^\s()]*\))+))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/g;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]]+\]:\s*(?:<([^<>]*)>|(\S+))/;
const AUTOLINK = /<(https?:\/\/[^\s<>]+)>/gi;
const ATTRIBUTE = /<(?:a|img)\b[^<>]*?\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const ANCHOR = /<[a-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+(.*?))?[ \t]*#*[ \t]*$/;

/** Reads the links and anchors of a Markdown document, leaving out code and comments. */
export function readMarkdownLinks(markdown: string): LinkedDocument {
  const links: MarkdownLink[] = [];
  const anchors = new Set<string>();
  const used = new Map<string, number>();
  const addHeading = (text: string): void => {
    const slug = slugOf(text);
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  };
  let before = '';
  for (const { text, line } of proseLines(markdown)) {
    const heading = HEADING.exec(text);
    if (heading) addHeading(heading[1] ?? '');
    else if (/^ {0,3}(?:=+|-{2,})[ \t]*$/.test(text) && /^ {0,3}[^\s>*+|#-]/.test(before)) addHeading(before);
    before = text;
    for (const match of text.matchAll(ANCHOR)) anchors.add((match[1] ?? match[2]) as string);
    for (const target of targetsIn(withoutCode(text))) links.push({ target, line });
  }
  return { links, anchors };
}

/** The anchor of a heading, as the hosts of Markdown make it: small letters, no signs, hyphens for spaces. */
export function slugOf(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The lines that are not in a code block, a comment or front matter, with their numbers. */
function* proseLines(markdown: string): Generator<{ text: string; line: number }> {
  const lines = markdown.replace(/^\ufeff/, '').split(/\r?\n/);
  let fence: string | undefined;
  let comment = false;
  let start = 0;
  if (lines[0] === '---') {
    const end = lines.indexOf('---', 1);
    if (end > 0) start = end + 1;
  }
  for (let i = start; i < lines.length; i++) {
    let text = lines[i] as string;
    if (text.length > LONGEST_LINE) continue;
    const mark = FENCE.exec(text)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && text.trim() === mark) fence = undefined;
      continue;
    }
    if (mark !== undefined && !comment) {
      fence = mark;
      continue;
    }
    [text, comment] = withoutComments(text, comment);
    yield { text, line: i + 1 };
  }
}

function withoutComments(line: string, inside: boolean): [string, boolean] {
  let rest = line;
  let kept = '';
  let comment = inside;
  for (;;) {
    const at = rest.indexOf(comment ? '-->' : '<!--');
    if (at < 0) return [comment ? kept : kept + rest, comment];
    if (!comment) kept += rest.slice(0, at);
    rest = rest.slice(at + (comment ? 3 : 4));
    comment = !comment;
  }
}

function withoutCode(text: string): string {
  return text.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, (all) => ' '.repeat(all.length));
}

function targetsIn(text: string): string[] {
  const definition = DEFINITION.exec(text);
  if (definition) return [definition[1] ?? (definition[2] as string)];
  const found = [...text.matchAll(INLINE), ...text.matchAll(AUTOLINK), ...text.matchAll(ATTRIBUTE)];
  return [...new Set(found.map((match) => match[1] ?? match[2] ?? ''))];
}
