import { type ReactNode, useMemo } from 'react';
import { formatDuration, formatMoney, formatTokens } from '../../../parts/format.ts';
import { useUrlParam } from '../../../state/use-url-param.ts';
import { type FlameNode, flameOf, knownMeasures, type Measure } from '../record/flame.ts';
import type { TreeRecord } from '../record/types.ts';
import { type FlameBox, layOut } from './lay-out-flame.ts';

const TITLES: Readonly<Record<Measure, string>> = {
  cost: 'Where the money went',
  tokens: 'Where the tokens went',
  time: 'Where the time went',
};
const FORMATS: Readonly<Record<Measure, (value: number) => string>> = {
  cost: formatMoney,
  tokens: formatTokens,
  time: formatDuration,
};
const ROW_HEIGHT = 24;

interface FlameProps {
  readonly tree: TreeRecord;
  readonly onSelect: (key: string) => void;
}

/** Shares of the whole: runs, their states, their steps. Waits are not counted as time. */
export function Flame({ tree, onSelect }: FlameProps): ReactNode {
  const [chosen, choose] = useUrlParam('by');
  const measures = useMemo(() => knownMeasures(tree), [tree]);
  const measure = measures.find((one) => one === chosen) ?? measures[0];
  const boxes = useMemo(() => (measure === undefined ? [] : layOut(flameOf(tree, measure))), [tree, measure]);
  const [whole] = boxes;
  if (measure === undefined || whole === undefined) return null;
  const format = FORMATS[measure];
  const height = ROW_HEIGHT * (1 + Math.max(...boxes.map(({ depth }) => depth)));
  return (
    <section className="flame" aria-label={TITLES[measure]}>
      <div className="row">
        <h2>{TITLES[measure]}</h2>
        <span className="muted small">{format(whole.node.value)}</span>
        <fieldset className="filters flame-measures" aria-label="Measure">
          {measures.map((one) => (
            <button
              key={one}
              type="button"
              className="filter-chip"
              aria-pressed={one === measure}
              onClick={() => choose(one === measures[0] ? '' : one)}
            >
              {one}
            </button>
          ))}
        </fieldset>
      </div>
      <div className="flame-chart" style={{ height }}>
        {boxes.map((box) => (
          <Box key={box.key} box={box} text={textOf(box.node, format)} onSelect={onSelect} />
        ))}
      </div>
    </section>
  );
}

const textOf = ({ name, count, value }: FlameNode, format: (value: number) => string): string =>
  `${name}${count > 1 ? ` ×${count}` : ''} · ${format(value)}`;

interface BoxProps {
  readonly box: FlameBox;
  readonly text: string;
  readonly onSelect: (key: string) => void;
}

function Box({ box: { node, depth, from, share }, text, onSelect }: BoxProps): ReactNode {
  const place = { left: `${100 * from}%`, width: `${100 * share}%`, top: depth * ROW_HEIGHT };
  const look = `flame-box flame-${node.kind}`;
  const { step } = node;
  if (step === undefined)
    return (
      <span className={look} style={place} title={text}>
        {text}
      </span>
    );
  return (
    <button type="button" className={look} style={place} title={text} onClick={() => onSelect(step)}>
      {text}
    </button>
  );
}
