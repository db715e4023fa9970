import type { ReactNode } from 'react';
import { type ScoreParts as Parts, SCORE_PARTS, shownParts } from './shown-parts.ts';

interface ScorePartsProps {
  readonly score: number;
  readonly parts: Parts;
  /** The highest score of the list, which is the whole width. */
  readonly best: number;
}

/** A score as a bar of its parts, with the amount of each. */
export function ScoreParts({ score, parts, best }: ScorePartsProps): ReactNode {
  const shown = shownParts(parts);
  const whole = Math.max(best, 0.001);
  return (
    <div className="score">
      <b className="number" title={String(score)}>
        {score.toFixed(2)}
      </b>
      <span className="score-bar" aria-hidden="true">
        {shown
          .filter(({ value }) => value > 0)
          .map(({ name, value }) => (
            <span
              key={name}
              className={`score-${name}`}
              style={{ width: `${Math.min(100, (value / whole) * 100)}%` }}
            />
          ))}
      </span>
      <ul className="score-parts small muted">
        {shown.map(({ name, value }) => (
          <li key={name} title={SCORE_PARTS[name]}>
            <span className={`score-dot score-${name}`} aria-hidden="true" />
            {name} <span className="number">{value.toFixed(2)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
