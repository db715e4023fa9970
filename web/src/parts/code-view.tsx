import type { ReactNode } from 'react';

interface CodeViewProps {
  readonly code: string;
  readonly label: string;
  readonly wrap?: boolean;
}

/** Text in a fixed width, such as a command or the output of a program. */
export function CodeView({ code, label, wrap = false }: CodeViewProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={`code ${wrap ? 'code-wrap' : ''}`} aria-label={label} tabIndex={0}>
      <code>{code}</code>
    </section>
  );
}
