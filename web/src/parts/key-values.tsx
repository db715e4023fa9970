import { Fragment, type ReactNode } from 'react';

interface KeyValuesProps {
  /** Pairs without a value are left out. */
  readonly pairs: readonly (readonly [name: string, value: ReactNode])[];
}

export function KeyValues({ pairs }: KeyValuesProps): ReactNode {
  return (
    <dl className="pairs">
      {pairs
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
