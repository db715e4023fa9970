// Owns: deriving facts from what people said. I1 Words are processed once: the facts and the mark that their source is
// processed are one commit, so that neither a crash nor a second pass duplicates a fact or restores a deleted one.
import type { Clock, Ids, Redactor } from '../../kernel/index.ts';
import {
  commitDecided,
  type DecidedChange,
  type EventStore,
  isCleanupReason,
  type LedgerEvent,
  namedAddresses,
} from '../../ledger/index.ts';
import { type MemoryRecords, memoryStream, planFacts } from '../../memory/index.ts';
import { groupBy } from './learnings.ts';
import { MAINTENANCE, MAINTENANCE_STREAM, wordsDistilled } from './maintenance-events.ts';
import type { MaintenanceRecords } from './ports.ts';
import { placeOf, type SpokenWords, spokenWords } from './spoken-words.ts';
import { type Statement, statementsIn } from './statements.ts';

export interface DistilParts {
  readonly events: EventStore;
  readonly facts: MemoryRecords;
  readonly records: MaintenanceRecords;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Words with the statements found in them. */
interface Said extends SpokenWords {
  readonly statements: readonly Statement[];
}

export interface Distillation {
  readonly through: number;
  readonly more: boolean;
  /** The facts that were added, or would be in a dry run. */
  readonly added: readonly { readonly id: string; readonly text: string; readonly source: string }[];
  /** Facts whose source was erased since. */
  readonly orphaned: readonly string[];
}

/** Reads up to `limit` events and stores the lasting statements in them as facts. */
export async function distilWords(
  parts: DistilParts,
  after: number,
  { limit, dryRun = false }: { readonly limit: number; readonly dryRun?: boolean },
): Promise<Distillation> {
  const events = await parts.events.readAfter(after, limit);
  const orphaned = await parts.records.factsFrom(events.flatMap(erasedPlaces));
  const said = await saidIn(parts, events);
  const added: Distillation['added'][number][] = [];
  for (const [namespace, words] of groupBy(said, (one) => one.namespace)) {
    const decide = () => planDistilled(parts, namespace, words);
    const stream = memoryStream(namespace);
    const made = dryRun
      ? (await decide()).answer
      : await commitDecided(parts.events, { stream, actor: MAINTENANCE }, decide);
    added.push(...made);
  }
  return { through: events.at(-1)?.seq ?? after, more: events.length === limit, added, orphaned };
}

/** The places of words that a person had erased. */
function erasedPlaces({ type, data }: Pick<LedgerEvent, 'type' | 'data'>): readonly string[] {
  const wanted = type === 'body.erased' && !isCleanupReason(data['reason']);
  return wanted ? namedAddresses(data).map(placeOf) : [];
}

async function saidIn(parts: DistilParts, events: readonly LedgerEvent[]): Promise<readonly Said[]> {
  const said: Said[] = [];
  for (const event of events) {
    const words = await spokenWords(event, parts.events);
    if (words === undefined) continue;
    const statements = statementsIn(words.text, words.speaker).filter(
      ({ text }) => parts.redactor.text(text) === text,
    );
    if (statements.length > 0) said.push({ ...words, statements });
  }
  return said;
}

/** What nobody confirmed becomes a candidate, which supersedes no confirmed fact. */
async function planDistilled(
  parts: DistilParts,
  namespace: string,
  said: readonly Said[],
): Promise<DecidedChange<Distillation['added']>> {
  const fresh: Said[] = [];
  for (const words of said) if (!(await parts.records.isDistilled(words.place))) fresh.push(words);
  if (fresh.length === 0) return { events: [], answer: [] };
  const facts = fresh.flatMap(({ statements, source, at, place }) =>
    statements.map((statement) => ({ ...statement, namespace, source, at, candidate: true, place })),
  );
  const { clock, ids } = parts;
  const stated = facts.map(({ place: _place, ...fact }) => fact);
  const planned = await planFacts({ records: parts.facts, clock, ids }, namespace, stated);
  const added = planned.answer.flatMap(({ id, outcome }, i) => {
    const { text, source, place } = facts[i] as (typeof facts)[number];
    return outcome === 'added' ? [{ id, text, source, place }] : [];
  });
  const sources = fresh.map(({ place }) => ({
    place,
    facts: added.filter((one) => one.place === place).map(({ id }) => id),
  }));
  return {
    events: planned.events,
    others: [...(planned.others ?? []), { stream: MAINTENANCE_STREAM, events: [wordsDistilled(sources)] }],
    answer: added.map(({ id, text, source }) => ({ id, text, source })),
  };
}
