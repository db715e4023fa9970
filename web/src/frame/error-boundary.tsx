import { Component, type ReactNode } from 'react';
import { ErrorState } from '../parts/error-state.tsx';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

/** Keeps a failure inside one page. Give it a `key` that changes with the page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (!('error' in this.state)) return this.props.children;
    return (
      <main className="content">
        <ErrorState error={this.state.error} onRetry={() => window.location.reload()} />
      </main>
    );
  }
}
