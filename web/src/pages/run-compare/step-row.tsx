import type { ReactNode } from 'react';
import { StatusMark } from '../../parts/status-mark.tsx';
import type { Row, Step } from './align-steps.ts';
import { valueText } from './text-diff.ts';
import { ValueDiff } from './value-diff.tsx';

interface StepRowProps {
  readonly row: Row;
  readonly index: number;
  readonly isFirst: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (index: number) => void;
}

/** A pair of steps, or one that only one run has. Opened, it shows what differs. */
export function StepRow({ row, index, isFirst, isOpen, onToggle }: StepRowProps): ReactNode {
  const mark = markOf(row);
  return (
    <li id={`pair-${index}`} className={`compare-pair compare-${mark.tone}`}>
      <button type="button" className="compare-line" aria-expanded={isOpen} onClick={() => onToggle(index)}>
        <Side name="A" step={row.left} />
        <span className="compare-mark">
          <span aria-hidden="true">{mark.sign}</span>
          <span>{mark.word}</span>
          {isFirst && <b className="compare-first">First difference</b>}
        </span>
        <Side name="B" step={row.right} />
      </button>
      {isOpen && <Details row={row} />}
    </li>
  );
}

function markOf({ kind, sameResult }: Row): {
  readonly sign: string;
  readonly word: string;
  readonly tone: string;
} {
  switch (kind) {
    case 'left':
      return { sign: '−', word: 'Only in A', tone: 'left' };
    case 'right':
      return { sign: '+', word: 'Only in B', tone: 'right' };
    case 'changed':
      return { sign: '≠', word: 'Other input', tone: 'changed' };
    default:
      return sameResult
        ? { sign: '=', word: 'Same', tone: 'same' }
        : { sign: '≠', word: 'Other result', tone: 'changed' };
  }
}

function Side({ name, step }: { readonly name: string; readonly step: Step | undefined }): ReactNode {
  if (step === undefined) return <span className="compare-side compare-none" aria-hidden="true" />;
  return (
    <span className="compare-side">
      <span className="compare-name">{name}</span>
      <StatusMark
        status={STATUS[step.outcome ?? ''] ?? 'completed'}
        label={step.outcome ?? 'done'}
        look="shape"
      />
      <span className="muted number">{step.step}.</span>
      <span className="ellipsis">
        <b>{titleOf(step)}</b> <span className="muted">{inputOf(step)}</span>
      </span>
    </span>
  );
}

/** The outcomes of steps, as statuses that have a mark. */
const STATUS: Readonly<Record<string, string>> = {
  ok: 'ok',
  failed: 'failed',
  refused: 'denied',
  pending: 'pending',
  waiting: 'waiting',
};

function titleOf({ decision, tool }: Step): string {
  if (tool !== undefined) return tool;
  if (decision === 'transition') return 'move on';
  return decision === 'ask_human' ? 'ask a person' : decision;
}

const MAX_INPUT = 120;

function inputOf({ input }: Step): string {
  if (input === undefined) return '';
  return (typeof input === 'string' ? input : JSON.stringify(input)).slice(0, MAX_INPUT);
}

const resultText = ({ output, failure }: Step): string =>
  failure === undefined ? valueText(output) : `${failure.code}: ${failure.message}`;

function Details({ row: { left, right } }: { readonly row: Row }): ReactNode {
  const both = (of: (step: Step) => string) => ({ left: left && of(left), right: right && of(right) });
  return (
    <div className="compare-details">
      <ValueDiff label="Reason" {...both(({ rationale }) => rationale)} />
      <ValueDiff label="Input" {...both(({ input }) => valueText(input))} />
      <ValueDiff label="Result" {...both(resultText)} />
    </div>
  );
}
