import type { ReactNode } from 'react';
import { toProblem } from '../api/problem.ts';
import { Button } from './button.tsx';

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What failed and what to do next, in place of the content. */
export function ErrorState({ error, onRetry }: ErrorStateProps): ReactNode {
  const { title, detail, next, code } = toProblem(error);
  return (
    <div className="error-state" role="alert">
      <b>{title}</b>
      {detail !== title && <span>{detail}</span>}
      {next !== undefined && <span>{next}</span>}
      <code className="small muted">{code}</code>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
