import { type ReactNode, useMemo, useState } from 'react';
import { client } from '../api/client.ts';
import { type Problem, toProblem } from '../api/problem.ts';
import { useActions } from '../state/actions.ts';
import { showInfo } from '../state/toasts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorState } from './error-state.tsx';
import { shortId } from './format.ts';

interface ExportRunActionProps {
  readonly run: string;
  readonly label?: string;
}

/** A button, and an entry of the palette, that exports a run. */
export function ExportRunAction({ run, label = 'Export…' }: ExportRunActionProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useActions(
    useMemo(
      () => [
        {
          id: 'run.export',
          label: 'Export the run…',
          keywords: ['download', 'audit'],
          run: () => setOpen(true),
        },
      ],
      [],
    ),
  );
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && <ExportRun answer={{ run: { id: run } }} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ExportRunProps {
  readonly answer: { readonly run: { readonly id: string } };
  readonly onClose: () => void;
}

/** Says what the file is, and saves it. */
export function ExportRun({ answer: { run }, onClose }: ExportRunProps): ReactNode {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      saveAs(await download(run.id), `run-${shortId(run.id)}.html`);
      showInfo('The run was exported');
      onClose();
    } catch (error) {
      setProblem(toProblem(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Export the run as a file"
      open
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={() => void save()}>
            Download
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          One HTML file with every event of this run and its child runs, readable and as stored. It opens in
          any browser without Oka or a network, and says whether a byte was changed.
        </p>
        <p className="muted">
          It contains the inputs and outputs of the steps. Read it before you send it to someone.
        </p>
        {problem !== undefined && <ErrorState error={problem} />}
      </div>
    </Dialog>
  );
}

async function download(run: string): Promise<Blob> {
  const { data } = await client.GET('/v1/runs/{run}/export', { params: { path: { run } }, parseAs: 'blob' });
  return data as Blob;
}

function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the content by the time a timer runs.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
