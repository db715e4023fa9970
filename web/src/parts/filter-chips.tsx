import type { ReactNode } from 'react';
import { useUrlParam } from '../state/use-url-param.ts';

interface FilterChipsProps {
  readonly label: string;
  /** The name of the parameter in the address that keeps the choice. */
  readonly param: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A choice of one value, or all. It is in the address, so that a link or a bookmark keeps it. */
export function FilterChips({ label, param, options }: FilterChipsProps): ReactNode {
  const [chosen, choose] = useUrlParam(param);
  return (
    <fieldset className="filters" aria-label={label}>
      {[{ value: '', label: 'All' }, ...options].map((option) => (
        <button
          key={option.value}
          type="button"
          className="filter-chip"
          aria-pressed={option.value === chosen}
          onClick={() => choose(option.value === chosen ? '' : option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
