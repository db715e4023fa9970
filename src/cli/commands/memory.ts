import type { Command } from 'commander';
import type { AddedFactView, FactView, MemoryStatsAnswer } from '../../api/index.ts';
import { parseAmount, parseCount } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';
import { packCommand } from './memory-pack.ts';
import { reindexCommand } from './memory-reindex.ts';
import { type FindOptions, HITS, parseDay, readLines, retrieveCommand, showHits } from './memory-retrieve.ts';

const DAY_MS = 86_400_000;

export function memoryCommand(program: Command, run: Run): void {
  const memory = program
    .command('memory')
    .description('what Oka has learned and what happened; without a subcommand, how much of it')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka memory fact add "Ada prefers tea" --importance 4 --namespace people',
        '  oka memory fact add "The office is in Bern" --key office --ttl-days 90',
        '  oka memory retrieve "what does Ada drink"',
        '  oka memory daily search invoice --day 2026-01-31',
        '  oka memory fact delete <id>                      its text is erased for good',
        '  oka memory export > memory.jsonl',
        '',
        'Days and times are in UTC.',
      ].join('\n'),
    )
    .action(() =>
      run(async (context) => {
        const stats = await (await context.open()).memory.stats();
        context.printer.answer(stats, showStats);
        return EXIT.ok;
      }),
    );
  factCommands(memory, run);
  dailyCommands(memory, run);
  retrieveCommand(memory, run);
  packCommand(memory, run);
  carryCommands(memory, run);
  reindexCommand(memory, run);
}

interface AddOptions {
  readonly importance?: number;
  readonly confidence?: number;
  readonly namespace?: string;
  readonly ttlDays?: number;
  readonly source?: string;
  readonly key?: string;
  readonly supersedes?: string;
}

function factCommands(memory: Command, run: Run): void {
  const fact = memory.command('fact').description('what is held to be true');
  addFact(fact, run);
  lookAtFacts(fact, run);
  forgetFacts(fact, run);
}

function addFact(fact: Command, run: Run): void {
  fact
    .command('add')
    .description('remember a fact; the same text again is the same fact')
    .argument('<text>')
    .option('--importance <n>', '1, hardly matters, to 5, must not be forgotten; 3 by default', parseAmount)
    .option('--confidence <n>', 'how sure it is, 0 to 1; 1 by default', parseAmount)
    .option('--namespace <name>', 'where it belongs; "default" by default')
    .option('--ttl-days <days>', 'after so many days it does not hold any more', parseAmount)
    .option('--source <where>', 'where it comes from')
    .option('--key <key>', 'what it is about; the fact that had this key is superseded')
    .option('--supersedes <id>', 'the fact that it takes the place of')
    .action((text: string, options: AddOptions) =>
      run(async (context) => {
        const { ttlDays, ...rest } = options;
        const ttl = ttlDays === undefined ? {} : { ttlMs: ttlDays * DAY_MS };
        const answer = await (await context.open()).memory.addFact({ text, ...rest, ...ttl, by: context.by });
        context.printer.answer(answer, showAdded);
        return EXIT.ok;
      }),
    );
}

function lookAtFacts(fact: Command, run: Run): void {
  fact
    .command('search')
    .description('facts that fit a question')
    .argument('<query>')
    .option('--namespace <name>', 'only of this namespace')
    .option('--limit <n>', 'how many at the most', parseCount, HITS)
    .action((query: string, options: FindOptions) =>
      run(async (context) => {
        const answer = await (await context.open()).memory.searchFacts({ query, ...options });
        context.printer.answer(answer, showHits);
        return EXIT.ok;
      }),
    );
  fact
    .command('get')
    .description('one fact, also when it does not hold any more')
    .argument('<id>')
    .action((id: string) =>
      run(async (context) => {
        const found = await (await context.open()).memory.getFact(id);
        context.printer.answer({ fact: found }, (data) => showFact(data.fact));
        return EXIT.ok;
      }),
    );
  fact
    .command('list')
    .description('facts, the most important first')
    .option('--namespace <name>', 'only of this namespace')
    .option('--all', 'also what is expired or superseded')
    .option('--limit <n>', 'how many at the most', parseCount, 100)
    .action((options: { namespace?: string; all?: boolean; limit: number }) =>
      run(async (context) => {
        const facts = await (await context.open()).memory.listFacts(options);
        context.printer.answer({ facts }, (data) => showFacts(data.facts));
        return EXIT.ok;
      }),
    );
}

function forgetFacts(fact: Command, run: Run): void {
  fact
    .command('delete')
    .description('erase a fact for good')
    .argument('<id>')
    .action((id: string) =>
      run(async (context) => {
        await (await context.open()).memory.deleteFact(id, context.by);
        context.printer.answer({ deleted: id }, (data) => `deleted ${data.deleted}`);
        return EXIT.ok;
      }),
    );
  fact
    .command('prune')
    .description('erase the facts that have expired')
    .option('--namespace <name>', 'only of this namespace')
    .option('--superseded', 'also those that another fact has taken the place of')
    .option('--dry-run', 'only say which')
    .action((options: { namespace?: string; superseded?: boolean; dryRun?: boolean }) =>
      run(async (context) => {
        const { superseded = false, dryRun = false, namespace } = options;
        const only = namespace === undefined ? {} : { namespace };
        const { memory } = await context.open();
        const pruned = await memory.pruneFacts({ superseded, dryRun, by: context.by, ...only });
        context.printer.answer({ pruned, dryRun }, () =>
          dryRun ? `${pruned.length} would be erased` : `${pruned.length} erased`,
        );
        return EXIT.ok;
      }),
    );
}

function dailyCommands(memory: Command, run: Run): void {
  const daily = memory.command('daily').description('what happened, by day');
  daily
    .command('days')
    .description('the days with something in them, newest first')
    .argument('[limit]', 'how many at the most', parseCount, 30)
    .action((limit: number) =>
      run(async (context) => {
        const days = await (await context.open()).memory.days(limit);
        context.printer.answer({ days }, (data) =>
          data.days.length === 0
            ? 'nothing has happened yet'
            : table(
                ['day', 'episodes', 'runs'],
                data.days.map(({ day, episodes, runs }) => [day, String(episodes), String(runs)]),
              ),
        );
        return EXIT.ok;
      }),
    );
  daily
    .command('search')
    .description('episodes and runs that fit a question')
    .argument('<query>')
    .option('--day <day>', 'only of this day, as in 2026-01-31', parseDay)
    .option('--namespace <name>', 'only episodes of this namespace')
    .option('--limit <n>', 'how many at the most', parseCount, HITS)
    .action((query: string, options: FindOptions) =>
      run(async (context) => {
        const answer = await (await context.open()).memory.searchDaily({ query, ...options });
        context.printer.answer(answer, showHits);
        return EXIT.ok;
      }),
    );
}

function carryCommands(memory: Command, run: Run): void {
  memory
    .command('import')
    .description('bring facts and episodes in, one JSON object a line; one that does not fit refuses all')
    .argument('<file>', 'a file, or - for standard input')
    .action((file: string) =>
      run(async (context) => {
        const lines = await readLines(file);
        const answer = await (await context.open()).memory.importLines(lines, context.by);
        context.printer.answer(
          answer,
          ({ facts, episodes, known }) => `${facts} facts, ${episodes} episodes, ${known} known already`,
        );
        return EXIT.ok;
      }),
    );
  memory
    .command('export')
    .description('every fact that holds and every episode, one JSON object a line')
    .option('--namespace <name>', 'only of this namespace')
    .action((options: { namespace?: string }) =>
      run(async (context) => {
        const lines = await (await context.open()).memory.exportLines(options);
        for await (const line of lines) if (!context.printer.line(line)) break;
        return EXIT.ok;
      }),
    );
}

function showStats({ facts, episodes, conversations, window, namespaces }: MemoryStatsAnswer): string {
  const rows = namespaces.map((one) => [visible(one.namespace), String(one.facts), String(one.episodes)]);
  const atHand = window && [
    `at hand       the last ${window.messages} messages of ${visible(window.conversation)}, ${window.tokens} of ${window.cap} tokens; ${window.dropped} older ones are found by searching`,
  ];
  return [
    ...(atHand ?? []),
    `facts         ${facts.live} hold, ${facts.expired} expired, ${facts.superseded} superseded`,
    `episodes      ${episodes} in ${conversations} conversations and beside them`,
    ...(rows.length === 0 ? [] : ['', table(['namespace', 'facts', 'episodes'], rows)]),
  ].join('\n');
}

function showAdded({ fact, outcome, superseded }: AddedFactView): string {
  return [
    `${outcome} ${fact.id}`,
    ...superseded.map((id) => `superseded ${id}; see: oka memory fact get ${id}`),
  ].join('\n');
}

function showFact(fact: FactView): string {
  return [
    `fact       ${fact.id}`,
    `text       ${visible(fact.text)}`,
    `namespace  ${visible(fact.namespace)}`,
    `importance ${fact.importance}`,
    `confidence ${fact.confidence}`,
    ...(fact.key === undefined ? [] : [`key        ${visible(fact.key)}`]),
    ...(fact.source === undefined ? [] : [`source     ${visible(fact.source)}`]),
    `learned    ${showTime(fact.at)} UTC`,
    ...(fact.expiresAt === undefined ? [] : [`expires    ${showTime(fact.expiresAt)} UTC`]),
    ...(fact.supersededBy === undefined ? [] : [`superseded by ${fact.supersededBy}`]),
    ...(fact.restsOn === undefined
      ? []
      : [`rests on   ${visible(fact.restsOn.path)}${fact.stale ? ', which has changed since' : ''}`]),
  ].join('\n');
}

function showFacts(facts: readonly FactView[]): string {
  if (facts.length === 0) return 'no facts yet; add one with: oka memory fact add "<text>"';
  const rows = facts.map((fact) => [
    fact.id,
    String(fact.importance),
    clip(fact.namespace, 20),
    clip(
      `${fact.supersededBy === undefined ? '' : '(superseded) '}${fact.stale ? '(stale) ' : ''}${fact.text}`,
      80,
    ),
  ]);
  return table(['fact', 'importance', 'namespace', 'text'], rows);
}
