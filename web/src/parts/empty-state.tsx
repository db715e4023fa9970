import type { ReactNode } from 'react';

/** Says that there is nothing yet, and how to change that. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <b>{title}</b>
      {children}
    </div>
  );
}
