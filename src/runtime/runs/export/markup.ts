// Owns: HTML whose text is always escaped, written exactly as browsers serialize it, so that a page can hash what it shows.

/** HTML that needs no escaping. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | readonly Part[];

/** Builds HTML from a template. Texts are escaped. Only fixed texts and numbers belong into attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((fixed, i) => (i === 0 ? '' : write(parts[i - 1])) + fixed).join(''));
}

function write(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(write).join('');
  return escapeText(String(part));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\u00a0': '&nbsp;',
};

/** Parsers change carriage returns and NUL, so they are replaced here. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '\ufffd')
    .replaceAll(/[&<>\u00a0]/g, (character) => ESCAPES[character] as string);
}
