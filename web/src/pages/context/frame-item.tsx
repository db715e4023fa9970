import type { ReactNode } from 'react';
import type { Answer } from '../../api/query.ts';
import { formatBytes } from '../../parts/format.ts';
import { MarkdownView } from '../../parts/markdown-view.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';

type Frame = Answer<'/v1/context/node'>['frames'][number];

const RECIPES = {
  none: 'written',
  synthesis: 'from its children',
  generation: 'by a model',
};

interface FrameItemProps {
  readonly frame: Frame;
  /** The state of a head; missing for an earlier frame. */
  readonly state?: string | undefined;
  readonly isOpen?: boolean;
}

/** A frame with its content. */
export function FrameItem({ frame, state, isOpen = false }: FrameItemProps): ReactNode {
  return (
    <details className="frame" open={isOpen}>
      <summary>
        <b>{frame.type}</b>
        {state !== undefined && <StatusMark status={state} />}
        <span className="small muted ellipsis">
          {frame.agent} · {RECIPES[frame.recipe]} · {formatBytes(frame.bytes)}
        </span>
        <span className="small muted row-end number">
          <RelativeTime at={frame.createdAt} />
        </span>
      </summary>
      {frame.restsOnStale !== undefined && <RestsOn rests={frame.restsOnStale} />}
      <FrameContent frame={frame} />
    </details>
  );
}

/** The outdated frames that this one was built from. */
function RestsOn({ rests }: { readonly rests: NonNullable<Frame['restsOnStale']> }): ReactNode {
  const { heads, count } = rests;
  return (
    <ul className="small muted">
      {heads.map(({ path, type, since }) => (
        <li key={`${type} ${path}`}>
          Rests on {path === '' ? './' : path} ({type}), outdated{' '}
          {since !== undefined && (
            <>
              since <RelativeTime at={since} />
            </>
          )}
        </li>
      ))}
      {count > heads.length && <li>and {count - heads.length} more</li>}
    </ul>
  );
}

function FrameContent({ frame }: { readonly frame: Frame }): ReactNode {
  if (frame.unreadable !== undefined) return <p className="context-unreadable">{frame.unreadable}</p>;
  if (frame.erased) return <p className="muted">Its content was erased.</p>;
  if (frame.content === undefined || frame.content === '') return <p className="muted">Empty</p>;
  return <MarkdownView text={frame.content} />;
}
