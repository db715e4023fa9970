import type { ReactNode } from 'react';

interface BudgetBarProps {
  readonly name: string;
  readonly used: number;
  /** Without a limit only the amount is shown. */
  readonly limit?: number | undefined;
  readonly format?: (value: number) => string;
}

const NEAR = 0.8;

/** How much of a limit is used. */
export function BudgetBar({ name, used, limit, format = String }: BudgetBarProps): ReactNode {
  const isNear = limit !== undefined && used >= NEAR * limit;
  return (
    <span className={`budget-bar ${isNear ? 'budget-bar-near' : ''}`}>
      <span>
        {name} <b>{format(used)}</b>
        {limit !== undefined && ` of ${format(limit)}`}
      </span>
      {limit !== undefined && (
        <progress max={limit || 1} value={Math.min(used, limit)} aria-label={`${name} used`} />
      )}
    </span>
  );
}
