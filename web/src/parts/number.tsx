import type { ReactNode } from 'react';
import { formatBytes, formatCount, formatMoney, formatTokens } from './format.ts';

interface NumberProps {
  readonly value: number | undefined;
  readonly as?: 'count' | 'money' | 'tokens' | 'bytes';
}

const FORMATS = { count: formatCount, money: formatMoney, tokens: formatTokens, bytes: formatBytes };

/** A number with its exact value on hover; a dash if there is none. */
export function NumberText({ value, as = 'count' }: NumberProps): ReactNode {
  if (value === undefined) return <span className="number muted">–</span>;
  return (
    <span className="number" title={as === 'count' ? undefined : String(value)}>
      {FORMATS[as](value)}
    </span>
  );
}
