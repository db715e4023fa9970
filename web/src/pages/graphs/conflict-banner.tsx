import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import type { GraphDocument } from '../../parts/graph-canvas/graph-document.ts';

const DocumentChanges = lazy(() => import('./document-changes.tsx'));

interface ConflictBannerProps {
  readonly mine: GraphDocument;
  readonly theirs: GraphDocument;
  readonly onTakeTheirs: () => void;
  readonly onSaveMine: () => void;
}

/** The file has changed while there are unsaved edits: the person decides which one stays. */
export function ConflictBanner({ mine, theirs, onTakeTheirs, onSaveMine }: ConflictBannerProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="graph-conflict" role="alert">
      <div className="row">
        <span>
          <b>The file has changed since you opened it.</b> Your edits are not saved. Neither is lost: a
          saved-over version stays under Versions, and Undo brings your edits back.
        </span>
        <span className="row row-end">
          <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
            Compare
          </Button>
          <Button onClick={onTakeTheirs}>Load the file</Button>
          <Button look="primary" onClick={onSaveMine}>
            Save mine
          </Button>
        </span>
      </div>
      {isOpen && (
        <Suspense fallback={<p className="muted">Comparing…</p>}>
          <DocumentChanges before={theirs} after={mine} label="From the file to your edits" />
        </Suspense>
      )}
    </section>
  );
}
