// Owns: what the turns of a conversation used, and what their limits leave.
import type { ChatUsageAnswer, NotificationView } from '../../api/index.ts';
import { isMissingRun, loadRun, poolUse, type RunState } from '../../engine/index.ts';
import { spendingPools } from '../services/configured-pools.ts';
import type { ChatServices } from './chat-services.ts';

const SHOWN_BUDGETS = ['cost_usd', 'input_tokens', 'output_tokens', 'model_calls'] as const;

type Turn = ChatUsageAnswer['turns'][number];
type Budget = ChatUsageAnswer['budgets'][number];

export async function chatUsage(
  services: ChatServices,
  conversation: string,
  notifications: readonly NotificationView[],
): Promise<ChatUsageAnswer> {
  const ledger = services.ledger();
  const turns: Turn[] = [];
  let last: RunState | undefined;
  for (const notification of notifications) {
    const { message, agent, status, run: id } = notification;
    const run = id === undefined ? undefined : await loadRun(id, ledger).catch(unlessMissing);
    if (run !== undefined) last = run;
    const { tokens, costUsd } = notification;
    const used = run?.used ?? {};
    const tokensNow = (used.input_tokens ?? 0) + (used.output_tokens ?? 0);
    // The notification has the sum of all attempts once the turn has ended.
    const hasEnded = status === 'done' || status === 'dropped';
    turns.push({
      message,
      agent,
      status,
      ...(run === undefined ? {} : { run: run.id }),
      tokens: hasEnded ? tokens : tokens + tokensNow,
      costUsd: hasEnded ? costUsd : costUsd + (used.cost_usd ?? 0),
      ...(tokensNow > 0 && used.cost_usd === undefined ? { unpriced: true as const } : {}),
      ...((used.assumed_cost_usd ?? 0) > 0 ? { assumed: true as const } : {}),
    });
  }
  return {
    turns,
    tokens: turns.reduce((sum, turn) => sum + turn.tokens, 0),
    costUsd: turns.reduce((sum, turn) => sum + turn.costUsd, 0),
    budgets: [
      ...budgetsOf('turn', last?.limits ?? {}, last?.used ?? {}),
      ...(await poolBudgets(services, conversation)),
    ],
  };
}

async function poolBudgets(services: ChatServices, conversation: string): Promise<Budget[]> {
  const ledger = services.ledger();
  const find = spendingPools(await services.config(), ledger);
  const { events } = ledger;
  const budgets: Budget[] = [];
  for (const pool of find({ group: conversation }, services.clock.now())) {
    const scope = pool.name.startsWith('day/') ? 'day' : 'conversation';
    budgets.push(...budgetsOf(scope, pool.limits, await poolUse(pool, events)));
  }
  return budgets;
}

type Amounts = Readonly<Partial<Record<(typeof SHOWN_BUDGETS)[number], number>>>;

function budgetsOf(scope: Budget['scope'], limits: Amounts, used: Amounts): Budget[] {
  return SHOWN_BUDGETS.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [{ scope, name, used: used[name] ?? 0, limit }];
  });
}

function unlessMissing(error: unknown): undefined {
  if (!isMissingRun(error)) throw error;
}
