import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface SectionProps {
  readonly title: string;
  readonly note?: ReactNode;
  /** A link to the page with more. */
  readonly more?: { readonly label: string; readonly href: string };
  readonly children: ReactNode;
}

/** A heading above a card. */
export function Section({ title, note, more, children }: SectionProps): ReactNode {
  return (
    <section aria-label={title}>
      <div className="section-head">
        <h2>{title}</h2>
        {note}
        {more !== undefined && (
          <Link className="link" href={more.href}>
            {more.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}
