import { Lexer, type Tokens } from 'marked';

interface MarkdownTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The tables of a Markdown document, outside code. Cells have their text without escapes. */
export function markdownTables(markdown: string): MarkdownTable[] {
  const text = markdown.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  return new Lexer()
    .lex(text)
    .filter((token): token is Tokens.Table => token.type === 'table')
    .map(({ header, rows }) => ({
      header: header.map(({ text: cell }) => plainCell(cell)),
      rows: rows.map((row) => row.map(({ text: cell }) => plainCell(cell))),
    }));
}

function plainCell(text: string): string {
  return text
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|<>])/g, '$1')
    .trim();
}
