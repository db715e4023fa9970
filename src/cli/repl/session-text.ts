// Owns: what a session shows about itself: greeting, status line, cost, changes. Does not own: reading it.
import type { ChatMessageView, ChatUsageAnswer, FileChangeView, UndoAnswer } from '../../api/index.ts';
import { clip, showDollars, table } from '../format.ts';
import { type Colors, visible } from '../printer.ts';

export interface SessionFacts {
  readonly agent: string;
  /** As `provider/model`; undefined without a model. */
  readonly model?: string | undefined;
  /** The name of the workspace folder. */
  readonly folder: string;
}

export interface GreetingOptions {
  readonly version: string;
  /** Whether the workspace was created just now. */
  readonly isNew: boolean;
  /** How many kinds of work need no model. */
  readonly localWork: number;
  readonly colors: Colors;
}

const EXAMPLES = [
  'find the ten largest files · count the lines of code by language',
  'total amount by city in sales.csv · what changed since Monday?',
];

export function showGreeting({ agent, model, folder }: SessionFacts, options: GreetingOptions): string {
  const { version, isNew, localWork, colors } = options;
  const { bold, dim, cyan } = colors;
  const place = visible(`${folder}${isNew ? ' (new workspace)' : ''}`);
  if (model !== undefined)
    return `${bold('Oka')} ${version} · ${visible(agent)} · ${cyan(visible(model))} · ${place}`;
  return [
    `${bold('Oka')} ${version} · ${place}`,
    '',
    '  No model is configured. I can already do local work, such as:',
    ...EXAMPLES.map((line) => dim(`    ${line}`)),
    `  All ${localWork} kinds of it:  ${cyan('what can you do?')}`,
    `  Add a model for everything else:  ${cyan('/model')}`,
    '',
  ].join('\n');
}

/** One line: agent, model, tokens, cost and what is left of the tightest budget. */
export function showStatusLine({ agent, model }: SessionFacts, usage: ChatUsageAnswer | undefined): string {
  const { tokens = 0 } = usage ?? {};
  return [
    agent,
    model ?? 'no model',
    ...(tokens === 0 ? [] : [`${showCount(tokens)} tokens`, showCost(usage)]),
    ...(usage === undefined || tokens === 0 ? [] : showLeft(usage)),
  ]
    .map(visible)
    .join(' · ');
}

/** A limit of the day or the conversation comes before the limit that every turn has. */
function showLeft({ budgets }: ChatUsageAnswer): string[] {
  const money = budgets.filter(({ name }) => name === 'cost_usd');
  const pools = money
    .filter(({ scope }) => scope !== 'turn')
    .sort((a, b) => a.limit - a.used - (b.limit - b.used));
  const [pool] = pools;
  if (pool) return [`${showDollars(Math.max(0, pool.limit - pool.used))} left ${SCOPES[pool.scope]}`];
  const [turn] = money;
  return turn ? [`limit ${showDollars(turn.limit)} per turn`] : [];
}

const SCOPES: Readonly<Record<ChatUsageAnswer['budgets'][number]['scope'], string>> = {
  turn: 'in this turn',
  conversation: 'in this session',
  day: 'today',
};

export function showUsage(usage: ChatUsageAnswer, messages: readonly ChatMessageView[]): string {
  if (usage.turns.length === 0) return 'This session has used nothing yet.';
  const texts = new Map(messages.map(({ id, content }) => [id, content]));
  const rows = usage.turns.map((turn) => [
    clip(texts.get(turn.message) ?? '', 40),
    turn.agent,
    turn.status,
    turn.tokens.toLocaleString('en'),
    showCost({ ...turn, turns: [turn] }),
  ]);
  const budgets = usage.budgets.map(
    ({ scope, name, used, limit }) =>
      `  ${SCOPES[scope].padEnd(16)}${amount(name, Math.max(0, limit - used))} of ${amount(name, limit)} left`,
  );
  return [
    table(['message', 'agent', 'status', 'tokens', 'cost'], rows),
    `total: ${usage.tokens.toLocaleString('en')} tokens, ${showCost(usage)}`,
    ...(budgets.length === 0 ? [] : ['budgets', ...budgets]),
  ].join('\n');
}

function amount(name: string, value: number): string {
  return name === 'cost_usd'
    ? showDollars(value)
    : `${value.toLocaleString('en')} ${name.replaceAll('_', ' ')}`;
}

function showCost(usage: Pick<ChatUsageAnswer, 'costUsd' | 'turns'> | undefined): string {
  const { costUsd = 0, turns = [] } = usage ?? {};
  const isUnpriced = turns.some(({ unpriced }) => unpriced);
  if (isUnpriced) return costUsd === 0 ? 'price unknown' : `${showDollars(costUsd)} or more`;
  return `${showDollars(costUsd)}${turns.some(({ assumed }) => assumed) ? ' at an assumed price' : ''}`;
}

function showCount(count: number): string {
  if (count < 10_000) return count.toLocaleString('en');
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export function showChanges(changes: readonly FileChangeView[], colors: Colors): string {
  if (changes.length === 0) return 'This session has changed no files.';
  const sum = (of: (change: FileChangeView) => number | undefined): number =>
    changes.reduce((total, change) => total + (of(change) ?? 0), 0);
  const files = changes.length === 1 ? '1 file' : `${changes.length} files`;
  return [
    `${files} changed  ${colors.green(`+${sum(({ added }) => added)}`)} ${colors.red(`−${sum(({ removed }) => removed)}`)}`,
    ...changes.map(({ path, change, diff }) =>
      diff === undefined ? `${visible(path)} was ${change}; it is not text` : showDiff(diff, colors),
    ),
  ].join('\n');
}

function showDiff(diff: string, { green, red, cyan, bold }: Colors): string {
  return visible(diff.trimEnd())
    .split('\n')
    .map((line) => {
      if (line.startsWith('+++') || line.startsWith('---')) return bold(line);
      if (line.startsWith('@@')) return cyan(line);
      if (line.startsWith('+')) return green(line);
      return line.startsWith('-') ? red(line) : line;
    })
    .join('\n');
}

/** Such as "notes.md +3 −1, plan.md +2". */
export function listChanges(changes: readonly FileChangeView[]): string {
  return changes
    .map(({ path, change, added = 0, removed = 0 }) => {
      const counts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(' ');
      return `${visible(path)} ${counts === '' ? change : counts}`;
    })
    .join(', ');
}

export function showUndone({ changes }: UndoAnswer, message: string): string {
  return [
    `Undid the changes of “${clip(message, 50)}”:`,
    ...changes.map(({ restored, what }) => `  ${restored ? '✓' : '✗'} ${visible(what)}`),
  ].join('\n');
}
