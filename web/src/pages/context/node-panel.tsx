import { type ReactNode, useState } from 'react';
import { type Answer, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { formatBytes, plural } from '../../parts/format.ts';
import { IdChip } from '../../parts/id-chip.tsx';
import { KeyValues } from '../../parts/key-values.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { showInfo } from '../../state/toasts.ts';
import { FrameItem } from './frame-item.tsx';
import { RegenerateDialog } from './regenerate-dialog.tsx';

type Node = Answer<'/v1/context/node'>;

const FRAMES = 20;
const KINDS = { file: 'File', directory: 'Folder', link: 'Link', gone: 'Deleted' };

/** One path: what it is, its heads with their state, and the earlier frames. */
export function NodePanel({ node }: { readonly node: string }): ReactNode {
  const [count, setCount] = useState(FRAMES);
  const query = useApi(
    '/v1/context/node',
    { params: { query: { node, maxFrames: count, order: 'recency' } } },
    { keepPrevious: true },
  );
  return (
    <QueryState query={query}>
      {(answer) => (
        <>
          <div className="card-head">
            <h2 className="context-path">{answer.node.path === '' ? './' : answer.node.path}</h2>
          </div>
          <div className="card-body stack">
            <KeyValues pairs={pairsOf(answer.node)} />
            <NodeActions node={answer.node} />
            <Frames answer={answer} onMore={() => setCount((now) => now + FRAMES)} />
          </div>
        </>
      )}
    </QueryState>
  );
}

function pairsOf({ id, kind, size, target }: Node['node']): readonly (readonly [string, ReactNode])[] {
  return [
    ['Kind', KINDS[kind]],
    ['Size', size === undefined ? undefined : formatBytes(size)],
    ['Leads to', target],
    ['Version', id === '' ? undefined : <IdChip key="id" id={id.slice(0, 12)} />],
  ];
}

function NodeActions({ node }: { readonly node: Node['node'] }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const invalidate = useAction('post', '/v1/context/invalidate', {
    onDone: (marked) =>
      showInfo(
        marked.length === 0 ? 'There is nothing to mark.' : 'Marked as invalid. Regenerate to renew it.',
      ),
  });
  const name = node.path === '' ? '.' : node.path;
  return (
    <div className="row">
      <Button onClick={() => setIsOpen(true)}>Regenerate this…</Button>
      <Button
        busy={invalidate.isPending}
        title="Marks the heads of this path as invalid, so that the next regeneration renews them"
        onClick={() => invalidate.mutate({ body: { node: name } })}
      >
        Mark as invalid
      </Button>
      {isOpen && <RegenerateDialog node={name} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function Frames({ answer, onMore }: { readonly answer: Node; readonly onMore: () => void }): ReactNode {
  const { node, frames, frameCount } = answer;
  const { data } = useApi('/v1/context/children', {
    params: { query: { node: node.path === '' ? '.' : node.path, limit: 1 } },
  });
  const heads = new Map((data?.heads ?? []).map((head) => [head.frame, head]));
  const current = frames.filter(({ id }) => heads.has(id));
  const earlier = frames.filter(({ id }) => !heads.has(id));
  if (frameCount === 0)
    return (
      <p className="muted">
        No frames yet. Add a note: <code>echo "…" | oka context put-frame {node.path || '.'} -</code>
      </p>
    );
  return (
    <>
      <section>
        <h3>Heads</h3>
        {current.map((frame) => (
          <FrameItem key={frame.id} frame={frame} state={heads.get(frame.id)?.state} isOpen />
        ))}
      </section>
      {(earlier.length > 0 || frames.length < frameCount) && (
        <section>
          <h3>
            History <span className="muted small">{plural(frameCount, 'frame')}</span>
          </h3>
          {earlier.map((frame) => (
            <FrameItem key={frame.id} frame={frame} />
          ))}
          {frames.length < frameCount && (
            <Button look="quiet" onClick={onMore}>
              Show more
            </Button>
          )}
        </section>
      )}
    </>
  );
}
