import type { ReactNode } from 'react';
import { StatusMark, statusWord } from '../../parts/status-mark.tsx';
import type { Child } from './tree-rows.ts';

const SHOWN = 3;

/** The heads of a path: each type with the shape of its state. */
export function HeadMarks({ heads }: Pick<Child, 'heads'>): ReactNode {
  return (
    <>
      {heads.slice(0, SHOWN).map(({ type, state }) => (
        <span key={type} title={`${type}: ${statusWord(state).toLowerCase()}`}>
          <StatusMark
            status={state}
            label={state === 'fresh' ? type : `${type} ${statusWord(state).toLowerCase()}`}
            look="plain"
          />
        </span>
      ))}
      {heads.length > SHOWN && <span className="small muted">+{heads.length - SHOWN}</span>}
    </>
  );
}
