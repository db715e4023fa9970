import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../parts/button.tsx';
import { formatExact, formatMoney, formatTokens } from '../../parts/format.ts';
import { StatusMark } from '../../parts/status-mark.tsx';
import { type Turn, type TurnNode, turnTree } from './turns.ts';

const SHOWN = 30;

/** The turns as a tree: who notified whom, with depth, tokens and cost. The newest chains are shown first. */
export function TurnTree({ turns }: { readonly turns: readonly Turn[] }): ReactNode {
  const [isAll, setIsAll] = useState(false);
  const roots = useMemo(() => turnTree(turns).toReversed(), [turns]);
  if (roots.length === 0) return <p className="small muted">Nobody was notified yet. Mention an agent.</p>;
  return (
    <>
      <Nodes nodes={isAll ? roots : roots.slice(0, SHOWN)} />
      {!isAll && roots.length > SHOWN && (
        <Button onClick={() => setIsAll(true)}>Show all {roots.length}</Button>
      )}
    </>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly TurnNode[] }): ReactNode {
  return (
    <ul className="turn-tree">
      {nodes.map(({ turn, children }) => (
        <li key={turn.id}>
          <TurnLine turn={turn} />
          {children.length > 0 && <Nodes nodes={children} />}
        </li>
      ))}
    </ul>
  );
}

const STATUSES = { queued: 'pending', claimed: 'running', done: 'completed', dropped: 'cancelled' } as const;

function TurnLine({ turn }: { readonly turn: Turn }): ReactNode {
  const { from, agent, depth, status, reason, detail, waiting, tokens, costUsd, run, message } = turn;
  const facts = [
    `message ${message}`,
    `depth ${depth}`,
    ...(tokens > 0 ? [`${formatTokens(tokens)} tokens`, formatMoney(costUsd)] : []),
    ...(waiting === undefined ? [] : [`waits until ${formatExact(waiting.until)}: ${waiting.why}`]),
    ...(reason === undefined ? [] : [detail === undefined ? reason : `${reason}: ${detail}`]),
  ];
  const names = `${from} → ${agent}`;
  return (
    <div className="turn-line">
      <StatusMark
        status={status === 'dropped' && reason === 'failed' ? 'failed' : STATUSES[status]}
        look="shape"
      />
      <span>
        {run === undefined ? (
          names
        ) : (
          <Link className="turn-link" href={`/runs/${run}`}>
            {names}
          </Link>
        )}
        <span className="small muted turn-facts">{facts.join(' · ')}</span>
      </span>
    </div>
  );
}
