import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from './page.tsx';

export function NotFound(): ReactNode {
  return (
    <Page title="Page not found">
      <EmptyState title="There is no page at this address.">
        <Link className="link" href="/">
          Go to Home
        </Link>
      </EmptyState>
    </Page>
  );
}
