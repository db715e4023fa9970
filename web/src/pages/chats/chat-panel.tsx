import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Problem } from '../../api/problem.ts';
import type { Answer } from '../../api/query.ts';
import { BudgetBar } from '../../parts/budget-bar.tsx';
import { formatCount, formatMoney } from '../../parts/format.ts';
import { KeyValues } from '../../parts/key-values.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { showCost } from './show-cost.ts';
import { TurnTree } from './turn-tree.tsx';
import type { Turn } from './turns.ts';

type Usage = Answer<'/v1/chats/{conversation}/usage'>;

interface ChatPanelProps {
  readonly usage: UseQueryResult<Usage, Problem>;
  readonly turns: readonly Turn[];
}

const SCOPES = { turn: 'Last turn', conversation: 'Conversation', day: 'Today' } as const;

/** What a conversation used, and who notified whom. */
export function ChatPanel({ usage, turns }: ChatPanelProps): ReactNode {
  return (
    <aside className="room-panel" aria-label="Usage and turns">
      <h2>Usage</h2>
      <QueryState query={usage}>{(used) => <UsageFacts usage={used} />}</QueryState>
      <h2>Who notified whom</h2>
      <TurnTree turns={turns} />
    </aside>
  );
}

function UsageFacts({ usage }: { readonly usage: Usage }): ReactNode {
  const isUnpriced = usage.turns.some(({ unpriced }) => unpriced);
  return (
    <>
      <KeyValues
        pairs={[
          ['Turns', formatCount(usage.turns.length)],
          ['Tokens', formatCount(usage.tokens)],
          ['Cost', showCost(usage.costUsd, isUnpriced)],
        ]}
      />
      {usage.budgets.map(({ scope, name, used, limit }) => (
        <BudgetBar
          key={`${scope} ${name}`}
          name={`${SCOPES[scope]}: ${name === 'cost_usd' ? 'cost' : name.replaceAll('_', ' ')}`}
          used={used}
          limit={limit}
          format={name === 'cost_usd' ? formatMoney : formatCount}
        />
      ))}
    </>
  );
}
