import type { ReactNode } from 'react';
import type { Answer } from '../../api/query.ts';
import { plural } from '../../parts/format.ts';
import { Table } from '../../parts/table.tsx';

type Regeneration = Answer<'/v1/context/regenerate', 'post'>;

const HOW = { synthesis: 'From its children', generation: 'One model call' };
const SHOWN = 200;

/** What a dry run found. */
export function RegenerationPlan({ plan }: { readonly plan: Regeneration }): ReactNode {
  const { regenerated, skipped, unchanged, cost } = plan;
  return (
    <>
      <p role="status">
        <b>{plural(cost.frames, 'frame')}</b> would be regenerated with{' '}
        <b>{plural(cost.modelCalls, 'model call')}</b>. {plural(unchanged, 'frame')} would stay.
      </p>
      {regenerated.length > 0 && (
        <Table
          label="Frames to regenerate"
          rows={regenerated.slice(0, SHOWN)}
          keyOf={({ path, type }) => `${type} ${path}`}
          columns={[
            { title: 'Path', cell: ({ path }) => path || './' },
            { title: 'Type', cell: ({ type }) => type },
            { title: 'How', cell: ({ recipe }) => HOW[recipe] },
          ]}
        />
      )}
      {skipped.length > 0 && (
        <Table
          label="Frames that are skipped"
          rows={skipped.slice(0, SHOWN)}
          keyOf={({ path, type }) => `${type} ${path}`}
          columns={[
            { title: 'Skipped', cell: ({ path }) => path || './' },
            { title: 'Type', cell: ({ type }) => type },
            { title: 'Why', cell: ({ why }) => why },
          ]}
        />
      )}
      {Math.max(regenerated.length, skipped.length) > SHOWN && (
        <p className="small muted">The first {SHOWN} of each are listed.</p>
      )}
      <p className="small muted">
        Frames written by hand are never regenerated. Earlier frames stay in the history.
      </p>
    </>
  );
}
