import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useApi } from '../../api/query.ts';
import { formatExact } from '../../parts/format.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { type StoryLine, storyLines } from './record/story.ts';
import type { ViewProps } from './view-props.ts';

/** What the run did and why, in sentences, up to the chosen moment. */
export function StoryTab({ answer, moment, selection }: ViewProps): ReactNode {
  const query = useApi('/v1/runs/{run}/explain', { params: { path: { run: answer.run.id } } });
  return (
    <QueryState query={query}>
      {(explained) => (
        <Story
          lines={storyLines(explained, moment.tree)}
          onSelect={selection.choose}
          chosen={selection.step?.key}
        />
      )}
    </QueryState>
  );
}

interface StoryProps {
  readonly lines: readonly StoryLine[];
  readonly chosen: string | undefined;
  readonly onSelect: (key: string) => void;
}

const GUESSED_HEIGHT = 64;

function Story({ lines, chosen, onSelect }: StoryProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => GUESSED_HEIGHT,
    overscan: 8,
  });
  const before = useRef(lines.length);
  // Another moment, or a new event, shows what happened then.
  useEffect(() => {
    if (before.current !== lines.length) list.scrollToIndex(lines.length - 1);
    before.current = lines.length;
  }, [lines.length, list]);
  const rows = list.getVirtualItems();
  const shown = useMemo(
    () => rows.map((row) => ({ row, line: lines[row.index] as StoryLine })),
    [rows, lines],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section ref={frame} className="story" aria-label="Story" tabIndex={0}>
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {shown.map(({ row, line }) => (
          <article
            key={row.key}
            ref={list.measureElement}
            data-index={row.index}
            className="story-line"
            data-selected={line.key !== undefined && line.key === chosen}
            style={{ transform: `translateY(${row.start}px)` }}
          >
            <Line line={line} onSelect={onSelect} />
          </article>
        ))}
      </div>
    </section>
  );
}

function Line({
  line,
  onSelect,
}: {
  readonly line: StoryLine;
  readonly onSelect: (key: string) => void;
}): ReactNode {
  const { key } = line;
  return (
    <>
      <span className="small muted mono">{formatExact(line.at).slice(11)}</span>
      <div>
        {line.status !== undefined && <StatusMark status={line.status} look="shape" />}{' '}
        {key === undefined ? (
          <span>{line.text}</span>
        ) : (
          <button type="button" className="story-step" onClick={() => onSelect(key)}>
            {line.text}
          </button>
        )}
        {line.why !== undefined && <p className="muted">{line.why}</p>}
        {line.notes.map((note) => (
          <p key={note} className="small story-note">
            {note}
          </p>
        ))}
      </div>
    </>
  );
}
