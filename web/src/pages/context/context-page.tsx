import { type ReactNode, useMemo, useState } from 'react';
import { type Answer, useAction, useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatBytes, formatCount, plural } from '../../parts/format.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { SplitView } from '../../parts/split-view.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useActions } from '../../state/actions.ts';
import { showInfo } from '../../state/toasts.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { ContextTree } from './context-tree.tsx';
import { NodePanel } from './node-panel.tsx';
import { RegenerateDialog } from './regenerate-dialog.tsx';
import { StaleHeads } from './stale-heads.tsx';
import './context.css';

type Status = Answer<'/v1/context'>;

/** The scanned workspace with the frames on it: what is known of each path, and whether it still holds. */
export default function ContextPage(): ReactNode {
  const status = useApi('/v1/context');
  const [node, setNode] = useUrlParam('node');
  const [isRegenerating, setIsRegenerating] = useState(false);
  const scan = useAction('post', '/v1/context/scan', { onDone: (answer) => showInfo(scanText(answer)) });
  const { mutate } = scan;
  useActions(
    useMemo(
      () => [
        { id: 'context.scan', label: 'Scan the workspace', run: () => mutate({ body: {} }) },
        {
          id: 'context.force',
          label: 'Scan the workspace and read every file',
          keywords: ['force'],
          run: () => mutate({ body: { force: true } }),
        },
        { id: 'context.regenerate', label: 'Regenerate stale frames', run: () => setIsRegenerating(true) },
      ],
      [mutate],
    ),
  );
  const isScanned = status.data !== undefined && status.data.root !== null;
  return (
    <Page
      title="Context"
      width="wide"
      facts={<span role="status">{status.data === undefined ? 'Loading…' : summary(status.data)}</span>}
      actions={
        <>
          <Button busy={scan.isPending} onClick={() => mutate({ body: {} })}>
            Scan
          </Button>
          <Button look="primary" disabled={!isScanned} onClick={() => setIsRegenerating(true)}>
            Regenerate…
          </Button>
        </>
      }
    >
      <QueryState query={status}>
        {({ root, heads }) =>
          root === null ? (
            <Card flush>
              <NotScanned />
            </Card>
          ) : (
            <SplitView
              label="Path"
              list={<Lists staleHeads={notFresh(heads)} chosen={node} onChoose={setNode} />}
              panel={node === '' ? undefined : <NodePanel key={node} node={node} />}
              onClose={() => setNode('')}
            />
          )
        }
      </QueryState>
      {isRegenerating && <RegenerateDialog node="" onClose={() => setIsRegenerating(false)} />}
    </Page>
  );
}

interface ListsProps {
  readonly staleHeads: number;
  readonly chosen: string;
  readonly onChoose: (node: string) => void;
}

function Lists({ staleHeads, chosen, onChoose }: ListsProps): ReactNode {
  return (
    <div className="card">
      <Tabs
        label="Paths"
        tabs={[
          { id: 'tree', label: 'Tree', content: () => <ContextTree chosen={chosen} onChoose={onChoose} /> },
          {
            id: 'stale',
            label: `Stale (${formatCount(staleHeads)})`,
            content: () => <StaleHeads chosen={chosen} onChoose={onChoose} />,
          },
        ]}
      />
    </div>
  );
}

function NotScanned(): ReactNode {
  return (
    <EmptyState title="The workspace has not been scanned yet">
      <p>
        A scan finds every file and folder, so that people and agents can add notes to them. Use the button
        above, or run <code>oka context scan</code>
      </p>
    </EmptyState>
  );
}

/** The number of heads that are not fresh. */
function notFresh({ fresh: _, ...others }: Status['heads']): number {
  return Object.values(others).reduce((sum, count) => sum + count, 0);
}

function summary({ root, files, directories, bytes, frames, heads }: Status): string {
  if (root === null) return 'Not scanned';
  return [
    plural(files, 'file'),
    plural(directories, 'folder'),
    formatBytes(bytes),
    plural(frames, 'frame'),
    `${formatCount(notFresh(heads))} not fresh`,
  ].join(' · ');
}

function scanText({ added, changed, removed, skipped }: Answer<'/v1/context/scan', 'post'>): string {
  const parts = [`${added} added`, `${changed} changed`, `${removed} removed`];
  if (skipped.length > 0) parts.push(`${skipped.length} skipped`);
  return added + changed + removed === 0 ? 'Scanned: nothing has changed.' : `Scanned: ${parts.join(', ')}.`;
}
