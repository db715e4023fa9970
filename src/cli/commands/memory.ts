import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  type AddedFactView,
  type AddFactRequest,
  type FactView,
  type MemoryStatsAnswer,
  shortId,
  shortIds,
} from '../../api/index.ts';
import { parseAmount, parseCount } from '../context.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { withProgress } from '../progress-bar.ts';
import { readLines } from '../read-input.ts';
import { answerWith, type Run } from '../run.ts';
import { factDeleteCommand } from './fact-delete.ts';
import { historyCommands } from './memory-history.ts';
import { packCommand } from './memory-pack.ts';
import {
  DEFAULT_HITS,
  type FindOptions,
  freshnessMark,
  parseDay,
  retrieveCommand,
  showHits,
  showSince,
} from './memory-retrieve.ts';
import { reviewCommand } from './memory-review.ts';

const DAY_MS = 86_400_000;

export function memoryCommand(program: Command, run: Run): void {
  const memory = program
    .command('memory')
    .description('Search and manage facts and episodes; shows counts without a subcommand')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka memory fact add "Ada prefers tea" --importance 4 --namespace people',
        '  oka memory fact add "The office is in Bern" --key office --ttl-days 90',
        '  oka memory retrieve "what does Ada drink"',
        '  oka memory daily search invoice --day 2026-01-31',
        '  oka memory fact add "The server listens on port 80" --file src/port.ts',
        '  oka memory history <id>                          what superseded what, and why',
        '  oka memory fact delete <id> --everything         erases it, and every goal, message and run that states it',
        '  oka memory export > memory.jsonl',
        '',
        'Days and times are in UTC.',
      ].join('\n'),
    )
    .action(() => answerWith(run, (api) => api.memory.stats(), showStats));
  addFactCommands(memory, run);
  addDailyCommands(memory, run);
  retrieveCommand(memory, run);
  packCommand(memory, run);
  addTransferCommands(memory, run);
  reviewCommand(memory, run);
  historyCommands(memory, run);
  reindexCommand(memory, run);
}

type AddOptions = Omit<AddFactRequest, 'text' | 'ttlMs' | 'restsOn' | 'candidate' | 'by'> & {
  readonly ttlDays?: number;
};

function addFactCommands(memory: Command, run: Run): void {
  const fact = memory.command('fact').description('Manage facts');
  addFactAddCommand(fact, run);
  addFactReadCommands(fact, run);
  addFactEraseCommands(fact, run);
}

function addFactAddCommand(fact: Command, run: Run): void {
  fact
    .command('add')
    .description('Add a fact; identical text is stored once')
    .argument('<text>')
    .option('--importance <n>', 'Set the importance, 1 (low) to 5 (high) (default: 3)', parseAmount)
    .option('--confidence <n>', 'Set the confidence, 0 to 1 (default: 1)', parseAmount)
    .option('--namespace <name>', 'Set the namespace (default: "default")')
    .option('--ttl-days <days>', 'Expire the fact after this many days', parseAmount)
    .option('--source <where>', 'Record where it comes from')
    .option('--file <path>', 'Base it on this file or folder; it turns stale when that changes')
    .option('--key <key>', 'Set the key; supersedes the fact with the same key')
    .option('--supersedes <id>', 'Supersede this fact')
    .action((text: string, { ttlDays, file, ...options }: AddOptions) =>
      answerWith(
        run,
        ({ memory }, { by }) => {
          const ttl = ttlDays === undefined ? {} : { ttlMs: ttlDays * DAY_MS };
          // The daemon runs in another folder.
          const basis = file === undefined ? {} : { file: resolve(file) };
          return memory.addFact({ text, ...options, ...ttl, ...basis, by });
        },
        showAdded,
      ),
    );
}

function addFactReadCommands(fact: Command, run: Run): void {
  fact
    .command('search')
    .description('Search facts')
    .argument('<query>')
    .option('--namespace <name>', 'Limit to this namespace')
    .option('--limit <n>', 'Show at most this many', parseCount, DEFAULT_HITS)
    .action((query: string, options: FindOptions) =>
      answerWith(run, (api) => api.memory.searchFacts({ query, ...options }), showHits),
    );
  fact
    .command('get')
    .description('Show a fact, even if expired or superseded')
    .argument('<id>')
    .action((id: string) =>
      answerWith(run, async (api) => ({ fact: await api.memory.getFact(id) }), showFact),
    );
  fact
    .command('list')
    .description('List facts, most important first')
    .option('--namespace <name>', 'Limit to this namespace')
    .option('--all', 'Include expired and superseded facts')
    .option('--limit <n>', 'Show at most this many', parseCount, 100)
    .action((options: { namespace?: string; all?: boolean; limit: number }) =>
      answerWith(run, async (api) => ({ facts: await api.memory.listFacts(options) }), showFacts),
    );
}

function addFactEraseCommands(fact: Command, run: Run): void {
  factDeleteCommand(fact, run);
  fact
    .command('prune')
    .description('Erase expired facts')
    .option('--namespace <name>', 'Limit to this namespace')
    .option('--superseded', 'Include superseded facts')
    .option('--dry-run', 'List them without erasing')
    .action((options: { namespace?: string; superseded?: boolean; dryRun?: boolean }) =>
      answerWith(
        run,
        async ({ memory }, { by }) => {
          const request = { superseded: false, dryRun: false, ...options, by };
          return { pruned: await memory.pruneFacts(request), dryRun: request.dryRun };
        },
        ({ pruned, dryRun }) => `${dryRun ? 'Would erase' : 'Erased'} ${pruned.length} facts`,
      ),
    );
}

function addDailyCommands(memory: Command, run: Run): void {
  const daily = memory.command('daily').description('Search episodes and runs by day');
  daily
    .command('days')
    .description('List days with episodes or runs, newest first')
    .argument('[limit]', 'Show at most this many', parseCount, 30)
    .action((limit: number) =>
      answerWith(
        run,
        async (api) => ({ days: await api.memory.days(limit) }),
        (data) =>
          data.days.length === 0
            ? 'No episodes or runs yet'
            : table(
                ['day', 'episodes', 'runs'],
                data.days.map(({ day, episodes, runs }) => [day, String(episodes), String(runs)]),
              ),
      ),
    );
  daily
    .command('search')
    .description('Search episodes and runs')
    .argument('<query>')
    .option('--day <day>', 'Limit to this day, such as 2026-01-31', parseDay)
    .option('--namespace <name>', 'Limit episodes to this namespace')
    .option('--limit <n>', 'Show at most this many', parseCount, DEFAULT_HITS)
    .action((query: string, options: FindOptions) =>
      answerWith(run, (api) => api.memory.searchDaily({ query, ...options }), showHits),
    );
}

function addTransferCommands(memory: Command, run: Run): void {
  memory
    .command('import')
    .description('Import facts and episodes, one JSON object per line; all or none')
    .argument('<file>', 'File, or - for standard input')
    .action((file: string) =>
      answerWith(
        run,
        async (api, { by, printer }) => {
          const lines = await readLines(file);
          return withProgress(printer, 'importing', (show) =>
            api.memory.importLines(lines, by, (done, total) => show({ done, total })),
          );
        },
        ({ facts, episodes, known }) =>
          `Imported ${facts} facts and ${episodes} episodes; ${known} already known`,
      ),
    );
  memory
    .command('export')
    .description('Export valid facts and all episodes, one JSON object per line')
    .option('--namespace <name>', 'Limit to this namespace')
    .action((options: { namespace?: string }) =>
      run(async (context) => {
        const lines = await (await context.open()).memory.exportLines(options);
        for await (const line of lines) if (!context.printer.record(line)) break;
      }),
    );
}

function reindexCommand(memory: Command, run: Run): void {
  memory
    .command('reindex')
    .description('Rebuild the search index and vectors of memory')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka memory reindex         after changing the embedder, or when a search asks for it',
        '',
        'You can stop it at any time and run it again to finish.',
      ].join('\n'),
    )
    .action(() =>
      run(async (context) => {
        const { memory } = await context.open();
        const answer = await withProgress(context.printer, 'indexing', (show) =>
          memory.reindex({ onProgress: (done, total) => show({ done, total }) }),
        );
        context.printer.answer(answer, ({ texts, embedder }) => `${texts} texts, embedder: ${embedder}`);
      }),
    );
}

function showStats({ facts, episodes, conversations, window, namespaces }: MemoryStatsAnswer): string {
  const rows = namespaces.map((one) => [visible(one.namespace), String(one.facts), String(one.episodes)]);
  const recent = window && [
    `window        the last ${window.messages} messages of ${visible(window.conversation)}, ${window.tokens} of ${window.cap} tokens; ${window.dropped} older ones only by search`,
  ];
  return [
    ...(recent ?? []),
    `facts         ${facts.live} valid, ${facts.expired} expired, ${facts.superseded} superseded`,
    ...(facts.candidates === 0
      ? []
      : [`candidates    ${facts.candidates} of them; nobody confirmed them. Review them: oka memory review`]),
    ...(facts.quarantined === 0
      ? []
      : [`quarantined   ${facts.quarantined}; no run sees them. Review them: oka memory review`]),
    `episodes      ${episodes} in ${conversations} conversations and outside them`,
    ...(rows.length === 0 ? [] : ['', table(['namespace', 'facts', 'episodes'], rows)]),
  ].join('\n');
}

function showAdded({ fact, outcome, superseded }: AddedFactView): string {
  return [
    `${outcome} ${shortId(fact.id)}`,
    ...superseded.map(
      (id) => `superseded ${shortId(id)}; restore it with: oka memory undo ${shortId(fact.id)}`,
    ),
  ].join('\n');
}

function showFact({ fact }: { readonly fact: FactView }): string {
  return [
    `fact       ${shortId(fact.id)}`,
    `text       ${visible(fact.text)}`,
    `namespace  ${visible(fact.namespace)}`,
    `importance ${fact.importance}`,
    `confidence ${fact.confidence}`,
    `status     ${fact.status}${fact.status === 'candidate' ? `; confirm it with: oka memory review --confirm ${shortId(fact.id)}` : ''}`,
    `used       ${showUses(fact)}`,
    ...(fact.key === undefined ? [] : [`key        ${visible(fact.key)}`]),
    ...(fact.source === undefined ? [] : [`source     ${visible(fact.source)}`]),
    `learned    ${showTime(fact.at)} UTC, by ${visible(fact.by)}`,
    ...(fact.expiresAt === undefined ? [] : [`expires    ${showTime(fact.expiresAt)} UTC`]),
    ...(fact.supersededBy === undefined
      ? []
      : [`superseded by ${shortId(fact.supersededBy)}; see: oka memory history ${shortId(fact.id)}`]),
    ...(fact.restsOn === undefined
      ? []
      : [
          `based on   ${visible(fact.restsOn.path)}${fact.stale ? ', which has changed' : ''}${fact.unchecked === undefined ? '' : `, not checked${showSince(fact.unchecked)}`}`,
        ]),
  ].join('\n');
}

function showUses({ uses, successes, lastUsedAt }: FactView): string {
  if (uses === 0) return 'never';
  const last = lastUsedAt === undefined ? '' : `, last ${showTime(lastUsedAt)} UTC`;
  return `in ${uses} ${uses === 1 ? 'run' : 'runs'}, ${successes} with success${last}`;
}

function showFacts({ facts }: { readonly facts: readonly FactView[] }): string {
  if (facts.length === 0) return 'No facts yet. Add one with: oka memory fact add "<text>"';
  const shown = shortIds(facts.map(({ id }) => id));
  const rows = facts.map((fact) => [
    shown(fact.id),
    String(fact.importance),
    String(fact.uses),
    clip(fact.by, 20),
    clip(fact.namespace, 20),
    clip(`${marksOf(fact)}${fact.text}`, 80),
  ]);
  return table(['fact', 'importance', 'uses', 'by', 'namespace', 'text'], rows);
}

function marksOf({ supersededBy, status, ...freshness }: FactView): string {
  return [
    ...(supersededBy === undefined ? [] : ['(superseded) ']),
    ...(status === 'candidate' ? ['(candidate) '] : []),
    freshnessMark(freshness),
  ].join('');
}
