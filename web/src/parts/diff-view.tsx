import type { ReactNode } from 'react';
import { diffLines } from './diff-lines.ts';

/** A unified diff. Added and removed lines have their sign besides the colour. */
export function DiffView({
  diff,
  label = 'Changes',
}: {
  readonly diff: string;
  readonly label?: string;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="diff" aria-label={label} tabIndex={0}>
      {diffLines(diff).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity, and a diff does not change.
        <span key={index} className={`diff-line diff-${line.kind}`}>
          {line.text}
        </span>
      ))}
    </section>
  );
}
