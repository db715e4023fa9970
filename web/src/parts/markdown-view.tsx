import { Lexer, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { CodeView } from './code-view.tsx';

/** Markdown as elements. HTML in it is shown as text, and a link needs a harmless address. */
export function MarkdownView({ text }: { readonly text: string }): ReactNode {
  return <div className="prose">{renderAll(new Lexer({ gfm: true }).lex(text))}</div>;
}

function renderAll(tokens: readonly Token[] | undefined): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other identity.
  return tokens?.map((token, index) => <Fragment key={index}>{render(token)}</Fragment>);
}

const inside = (token: Token): ReactNode => ('tokens' in token ? renderAll(token.tokens) : undefined);

/** Headings of a text stay below those of the page. */
const headings = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;

function render(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      const Heading = headings[(token as Tokens.Heading).depth - 1] ?? 'h6';
      return <Heading>{inside(token)}</Heading>;
    }
    case 'paragraph':
      return <p>{inside(token)}</p>;
    case 'blockquote':
      return <blockquote>{inside(token)}</blockquote>;
    case 'list':
      return <MarkdownList list={token as Tokens.List} />;
    case 'code':
      return <CodeView code={(token as Tokens.Code).text} label="Code" />;
    case 'hr':
      return <hr />;
    case 'table':
      return <MarkdownTable table={token as Tokens.Table} />;
    case 'strong':
      return <strong>{inside(token)}</strong>;
    case 'em':
      return <em>{inside(token)}</em>;
    case 'del':
      return <del>{inside(token)}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <MarkdownLink link={token as Tokens.Link} />;
    case 'image':
      // A picture would be a request to another machine.
      return (token as Tokens.Image).text || (token as Tokens.Image).href;
    case 'text':
      return 'tokens' in token && token.tokens !== undefined
        ? renderAll(token.tokens)
        : (token as Tokens.Text).text;
    case 'escape':
      return (token as Tokens.Escape).text;
    default:
      return token.raw;
  }
}

function MarkdownList({ list }: { readonly list: Tokens.List }): ReactNode {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity.
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked ?? false} disabled aria-label="Done" />}
      {renderAll(item.tokens)}
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function MarkdownTable({ table }: { readonly table: Tokens.Table }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="table-frame" aria-label="Table" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity.
              <th key={index}>{renderAll(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity.
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity.
                <td key={column}>{renderAll(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function MarkdownLink({ link }: { readonly link: Tokens.Link }): ReactNode {
  const href = safeAddress(link.href);
  if (href === undefined) return <span title={link.href}>{renderAll(link.tokens)}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {renderAll(link.tokens)}
    </a>
  );
}

/** Only web and mail addresses: a script address would act as the person. */
export function safeAddress(href: string): string | undefined {
  return /^(https?:\/\/|mailto:)/i.test(href) ? href : undefined;
}
