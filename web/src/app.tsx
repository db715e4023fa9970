import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { Problem } from './api/problem.ts';
import { queryClient } from './api/query.ts';
import { readSession, type Session, sessionExpired } from './api/session.ts';
import { ErrorBoundary } from './frame/error-boundary.tsx';
import { ExpiredSession } from './frame/expired-session.tsx';
import { Navigation } from './frame/navigation.tsx';
import { navigationOpen } from './frame/navigation-state.ts';
import { NotFound } from './frame/not-found.tsx';
import { PaletteHost } from './frame/palette-host.tsx';
import { ToastList } from './frame/toast-list.tsx';
import { PAGES } from './pages.ts';
import { QueryState } from './parts/query-state.tsx';
import { useStore } from './state/store.ts';

export function App(): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <SignedIn />
      <ToastList />
    </QueryClientProvider>
  );
}

function SignedIn(): ReactNode {
  const isExpired = useStore(sessionExpired);
  const session = useQuery<Session, Problem>({
    queryKey: ['session'],
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isNarrowMenuOpen = useStore(navigationOpen);
  if (isExpired) return <ExpiredSession />;
  return (
    <QueryState query={session}>
      {(known) => (
        <div className={`app ${isNarrowMenuOpen ? 'nav-shown' : ''}`}>
          <a className="skip-link" href="#content">
            Skip to the content
          </a>
          <Navigation pages={PAGES} session={known} />
          <Pages />
          <PaletteHost pages={PAGES} />
        </div>
      )}
    </QueryState>
  );
}

function Pages(): ReactNode {
  const [location] = useLocation();
  return (
    <ErrorBoundary key={location}>
      <Switch>
        {PAGES.map(({ path, page: Shown }) => (
          <Route key={path} path={path}>
            {(params) => <Shown params={params as Readonly<Record<string, string | undefined>>} />}
          </Route>
        ))}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}
