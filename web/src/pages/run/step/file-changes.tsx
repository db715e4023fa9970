import type { ReactNode } from 'react';
import { useApi } from '../../../api/query.ts';
import { DiffView } from '../../../parts/diff-view.tsx';
import { plural } from '../../../parts/format.ts';

interface FileChangesProps {
  readonly run: string;
  /** Only the change of this file. */
  readonly path?: string;
}

const MAX_FILES = 50;

/** The files that the run changed: what they contained before, compared with what they contain now. */
export function FileChanges({ run, path }: FileChangesProps): ReactNode {
  const { data = [] } = useApi('/v1/changes', { params: { query: { runs: [run] } } });
  const shown = data.filter((change) => path === undefined || change.path === path);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Changed files">
      <h3>{path === undefined ? plural(shown.length, 'changed file') : 'Change of the file'}</h3>
      <p className="small muted">Before the run, compared with now.</p>
      {shown.slice(0, MAX_FILES).map((change) => (
        <details key={change.path} className="step-file" open={shown.length === 1}>
          <summary>
            <code>{change.path}</code>{' '}
            <span className="small muted">
              {change.change}
              {change.added !== undefined && ` +${change.added} −${change.removed ?? 0}`}
            </span>
          </summary>
          {change.diff === undefined ? (
            <p className="small muted">Its content is not text.</p>
          ) : (
            <DiffView diff={change.diff} label={`Change of ${change.path}`} />
          )}
        </details>
      ))}
      {shown.length > MAX_FILES && (
        <p className="small muted">and {plural(shown.length - MAX_FILES, 'more file')}</p>
      )}
    </section>
  );
}
