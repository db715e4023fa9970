import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Icon } from '../parts/icon.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { navigationOpen } from './navigation-state.ts';
import { paletteOpen } from './palette-state.ts';

interface PageProps {
  readonly title: string;
  /** The pages above this one. */
  readonly crumbs?: readonly { readonly label: string; readonly href: string }[];
  /** Facts below the title, such as status and cost. */
  readonly facts?: ReactNode;
  /** Buttons on the right of the title. */
  readonly actions?: ReactNode;
  /** `wide` uses the whole width; `full` also has no space around, for a canvas. */
  readonly width?: 'text' | 'wide' | 'full';
  readonly children: ReactNode;
}

/** The part of the frame that a page fills: a line with its place, a title with facts and actions, and the content. */
export function Page({ title, crumbs = [], facts, actions, width = 'text', children }: PageProps): ReactNode {
  const content = useRef<HTMLElement>(null);
  // Where the page changed by a link, the keyboard continues in the new page.
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest('nav'))
      content.current?.focus();
  }, []);
  const hasHead = facts !== undefined || actions !== undefined;
  return (
    <div>
      <title>{`${title} – Oka`}</title>
      <header className="top">
        <button
          type="button"
          className="button button-quiet button-icon nav-open"
          aria-label="Menu"
          onClick={() => navigationOpen.set(true)}
        >
          <Icon name="menu" />
        </button>
        <div className="crumbs">
          {crumbs.map(({ label, href }) => (
            <span key={href}>
              <Link href={href}>{label}</Link> /
            </span>
          ))}
          {hasHead ? <b className="ellipsis">{title}</b> : <h1 className="ellipsis">{title}</h1>}
        </div>
        <SearchButton />
      </header>
      <ConnectionLine />
      <main ref={content} id="content" tabIndex={-1} className={`content content-${width}`}>
        {hasHead && (
          <div className="page-head">
            <div>
              <h1>{title}</h1>
              {facts !== undefined && <div className="page-facts">{facts}</div>}
            </div>
            {actions !== undefined && <div className="page-actions">{actions}</div>}
          </div>
        )}
        {children}
      </main>
    </div>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

function SearchButton(): ReactNode {
  return (
    <button type="button" className="search-button" onClick={() => paletteOpen.set(true)}>
      <Icon name="search" />
      <span>Search or run a command</span>
      <span aria-hidden="true">
        <kbd>{isApple ? '⌘' : 'Ctrl'}</kbd> <kbd>K</kbd>
      </span>
    </button>
  );
}
