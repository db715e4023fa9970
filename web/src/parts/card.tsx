import type { ReactNode } from 'react';

interface CardProps {
  /** Shown in a line above the content. */
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly tone?: 'plain' | 'wait';
  /** Without the space around the content, for lists and tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Card({ title, actions, tone = 'plain', flush = false, children }: CardProps): ReactNode {
  return (
    <section className={`card card-${tone}`}>
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
