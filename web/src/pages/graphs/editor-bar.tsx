import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { plural } from '../../parts/format.ts';
import { isRecord } from '../../parts/graph-canvas/graph-document.ts';
import { StatusMark } from '../../parts/status-mark.tsx';
import type { GraphCheck } from './use-graph-check.ts';
import type { GraphEditing } from './use-graph-editor.ts';

interface EditorBarProps {
  readonly editing: GraphEditing;
  readonly check: GraphCheck;
  readonly isNew: boolean;
  /** Graphs that are saved with this one. */
  readonly also: readonly string[] | undefined;
  readonly onRun: () => void;
  readonly onSave: () => void;
}

/** The line above the canvas: what state the graph is in, and what can be done with it. */
export function EditorBar({ editing, check, isNew, also, onRun, onSave }: EditorBarProps): ReactNode {
  const { state, isChanged, isSaving } = editing;
  const { document } = state;
  const defaults = document['execution_defaults'];
  const mode = (isRecord(defaults) && defaults['guarantee_mode']) || 'bounded';
  const hasErrors = check.diagnostics.some(({ severity }) => severity === 'error');
  const cannotSave = state.textProblem !== undefined || document.id === '';
  return (
    <div className="graph-bar">
      <span className="chip tone-run" title="How much the graph guarantees">
        {String(mode)}
      </span>
      <span className="muted small graph-bar-version" role="status">
        {`Version ${String(document['version'])} · ${isNew ? 'not saved yet' : isChanged ? 'unsaved changes' : 'saved'}`}
      </span>
      {also !== undefined && <span className="muted small">Saving also adds {also.join(', ')}</span>}
      <CheckMark check={check} textProblem={state.textProblem} />
      <span className="row row-end graph-bar-actions">
        <Button
          look="quiet"
          title="Ctrl+Z"
          disabled={state.past.length === 0 && state.textProblem === undefined}
          onClick={editing.undo}
        >
          Undo
        </Button>
        <Button look="quiet" title="Ctrl+Shift+Z" disabled={state.future.length === 0} onClick={editing.redo}>
          Redo
        </Button>
        <Button
          title={hasErrors ? 'A graph with errors cannot be saved. Correct them first.' : 'Ctrl+S'}
          busy={isSaving}
          disabled={!isChanged || cannotSave || hasErrors}
          onClick={onSave}
        >
          Save
        </Button>
        <Button
          look="primary"
          title={hasErrors ? 'A graph with errors cannot run. Correct them first.' : undefined}
          disabled={cannotSave || hasErrors}
          onClick={onRun}
        >
          Run…
        </Button>
      </span>
    </div>
  );
}

function CheckMark({
  check,
  textProblem,
}: {
  readonly check: GraphCheck;
  readonly textProblem: string | undefined;
}): ReactNode {
  const { diagnostics, error, isStale } = check;
  if (textProblem !== undefined) return <StatusMark status="error" label="Not JSON" />;
  if (error !== null) return <StatusMark status="warning" label={`Not checked: ${error.title}`} />;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) return <StatusMark status="error" label={plural(errors, 'problem')} />;
  if (diagnostics.length > 0)
    return <StatusMark status="warning" label={plural(diagnostics.length, 'warning')} />;
  return isStale ? (
    <StatusMark status="pending" label="Checking" />
  ) : (
    <StatusMark status="ok" label="Valid" />
  );
}
