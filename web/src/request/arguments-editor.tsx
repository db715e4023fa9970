import { type ReactNode, useState } from 'react';
import { marked, visibleJson } from '../../../src/api/foreign-text.ts';
import type { ApprovalView } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { TextArea } from '../parts/field.tsx';
import { readJson } from './read-json.ts';
import type { Decision } from './use-decision.ts';

interface ArgumentsEditorProps {
  readonly approval: ApprovalView;
  readonly decision: Decision;
  readonly onClose: () => void;
}

const MAX_ROWS = 24;

/** A line of JSON; its indentation stays. */
const markedLine = (line: string): string => line.replace(/[^ ].*$/s, (text) => marked(text));

/** The arguments as JSON. What is wrong with them is shown as they are typed, or when the tool refuses them. */
export function ArgumentsEditor({ approval, decision, onClose }: ArgumentsEditorProps): ReactNode {
  const [text, setText] = useState(() => visibleJson(JSON.stringify(approval.arguments, null, 2)));
  const [isAsking, setIsAsking] = useState(false);
  const read = readJson(text);
  const error = 'error' in read ? read.error : decision.problem?.detail;
  return (
    <div className="request-editor">
      <TextArea
        autoFocus
        label={`Arguments of ${approval.tool ?? 'the call'} as JSON`}
        hint="The call runs once with these arguments. Both the requested and the edited ones are recorded."
        error={error}
        className="input mono"
        spellCheck={false}
        rows={Math.min(MAX_ROWS, Math.max(6, text.split('\n').length + 1))}
        value={text}
        onChange={(event) => {
          decision.clearProblem();
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <footer className="request-actions">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          look="primary"
          busy={decision.isBusy}
          disabled={'error' in read}
          onClick={() => setIsAsking(true)}
        >
          Approve with these arguments…
        </Button>
      </footer>
      <Confirm
        title="Approve with edited arguments?"
        open={isAsking}
        action="Approve once"
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          if ('value' in read) decision.approve({ edit: read.value });
        }}
      >
        <p className="muted">
          <code>{approval.tool}</code> runs once, with exactly these arguments:
        </p>
        <p className="request-line">{text.split('\n').map(markedLine).join('\n')}</p>
      </Confirm>
    </div>
  );
}
