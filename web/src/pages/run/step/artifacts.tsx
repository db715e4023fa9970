import { type ReactNode, useState } from 'react';
import { useApi } from '../../../api/query.ts';
import { Button } from '../../../parts/button.tsx';
import { CodeView } from '../../../parts/code-view.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { formatBytes } from '../../../parts/format.ts';
import { QueryState } from '../../../parts/query-state.tsx';
import type { Artifact } from '../record/step-facts.ts';

interface ArtifactsProps {
  readonly run: string;
  readonly artifacts: readonly Artifact[];
}

/** Stored content. A click shows it. */
export function Artifacts({ run, artifacts }: ArtifactsProps): ReactNode {
  const [shown, setShown] = useState<Artifact>();
  if (artifacts.length === 0) return null;
  return (
    <section aria-label="Artifacts">
      <h3>Artifacts</h3>
      <ul className="step-artifacts">
        {artifacts.map((artifact) => (
          <li key={artifact.digest}>
            <Button look="quiet" onClick={() => setShown(artifact)}>
              {artifact.name ?? artifact.digest.slice(0, 12)}
            </Button>
            <span className="small muted">
              {artifact.mediaType}, {formatBytes(artifact.bytes)}
            </span>
          </li>
        ))}
      </ul>
      {shown !== undefined && (
        <ArtifactDialog run={run} artifact={shown} onClose={() => setShown(undefined)} />
      )}
    </section>
  );
}

interface ArtifactDialogProps {
  readonly run: string;
  readonly artifact: Artifact;
  readonly onClose: () => void;
}

function ArtifactDialog({ run, artifact: { digest, name }, onClose }: ArtifactDialogProps): ReactNode {
  const query = useApi('/v1/runs/{run}/artifacts/{digest}', { params: { path: { run, digest } } });
  return (
    <Dialog title={name ?? digest.slice(0, 12)} open onClose={onClose} wide>
      <QueryState query={query}>
        {({ encoding, content, truncated }) => (
          <>
            {encoding === 'utf8' ? (
              <CodeView code={content} label="Content" wrap />
            ) : (
              <p className="muted">It is not text.</p>
            )}
            {truncated && <p className="small muted">Only the first part is shown.</p>}
          </>
        )}
      </QueryState>
    </Dialog>
  );
}
