import type { ReactNode } from 'react';

interface CardProps {
  /** Shown in a line above the content. */
  readonly title?: ReactNode;
  /** A name for screen readers where there is no title. */
  readonly label?: string;
  readonly actions?: ReactNode;
  readonly tone?: 'plain' | 'wait';
  /** Without the space around the content, for lists and tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Card({
  title,
  label,
  actions,
  tone = 'plain',
  flush = false,
  children,
}: CardProps): ReactNode {
  return (
    <section className={`card card-${tone}`} aria-label={label}>
      {(title !== undefined || actions !== undefined) && (
        <div className="card-head">
          <h2>{title}</h2>
          <div className="row row-end">{actions}</div>
        </div>
      )}
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}
