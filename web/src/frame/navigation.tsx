import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { useApi } from '../api/query.ts';
import type { Session } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import { useStore } from '../state/store.ts';
import { navigationOpen } from './navigation-state.ts';
import type { PageEntry } from './page-entry.ts';

interface NavigationProps {
  readonly pages: readonly PageEntry[];
  readonly session: Session;
}

/** The pages on the left. On a narrow screen a button opens it over the page. */
export function Navigation({ pages, session }: NavigationProps): ReactNode {
  const [location] = useLocation();
  const isOpen = useStore(navigationOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it.
  useEffect(() => navigationOpen.set(false), [location]);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') navigationOpen.set(false);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen]);
  return (
    <>
      {isOpen && (
        <button
          type="button"
          className="dialog-backdrop nav-veil"
          aria-label="Close menu"
          onClick={() => navigationOpen.set(false)}
        />
      )}
      <nav className="nav" aria-label="Main">
        <div className="nav-brand">Oka</div>
        {pages
          .filter(({ within }) => within === undefined)
          .map(({ path, title, icon }) => (
            <Link
              key={path}
              href={path}
              className="nav-link"
              aria-current={isWithin(location, path) ? 'page' : undefined}
            >
              <Icon name={icon} />
              {title}
              {path === '/approvals' && <WaitingCount />}
            </Link>
          ))}
        <div className="nav-foot">
          <span className="ellipsis" title={session.folder}>
            {session.workspace}
          </span>
          <span>
            daemon {session.version}
            <RunningCount />
          </span>
        </div>
      </nav>
    </>
  );
}

function isWithin(location: string, path: string): boolean {
  return location === path || (path !== '/' && location.startsWith(`${path}/`));
}

function WaitingCount(): ReactNode {
  const { approvals = 0 } = useApi('/v1/overview').data ?? {};
  if (approvals === 0) return null;
  return (
    <span className="nav-count">
      {approvals} <span className="hidden-text">waiting for you</span>
    </span>
  );
}

function RunningCount(): ReactNode {
  const { data } = useApi('/v1/overview');
  return data === undefined ? null : <> · {data.runs['running'] ?? 0} running</>;
}
