// Owns: deriving facts from what people said. I1 Words are processed once: the facts and the mark that their source is
// processed are one commit, so that neither a crash nor a second pass duplicates a fact or restores a deleted one.
import type { Clock, Digest, Ids, Redactor } from '../../kernel/index.ts';
import {
  commitDecided,
  type DecidedChange,
  type EventDraft,
  type EventStore,
  erasedAddresses,
  isCleanupReason,
  type LedgerEvent,
} from '../../ledger/index.ts';
import { digestOfFact, type Fact, type MemoryRecords, memoryStream } from '../../memory/index.ts';
import { groupBy } from './learnings.ts';
import {
  type DistilledSource,
  MAINTENANCE,
  MAINTENANCE_STREAM,
  wordsDistilled,
} from './maintenance-events.ts';
import type { MaintenanceRecords } from './ports.ts';
import { placeOf, type SpokenWords, spokenWords } from './spoken-words.ts';
import { type Statement, statementsIn } from './statements.ts';

export interface DistilParts {
  readonly events: EventStore;
  readonly facts: Pick<MemoryRecords, 'liveFacts'>;
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
    const decide = () => planFacts(parts, namespace, words);
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
  return wanted ? erasedAddresses(data).map(placeOf) : [];
}

async function saidIn(parts: DistilParts, events: readonly LedgerEvent[]): Promise<readonly Said[]> {
  const said: Said[] = [];
  for (const event of events) {
    const words = await spokenWords(event, parts.events);
    if (words === undefined) continue;
    const statements = statementsIn(words.text).filter(({ text }) => parts.redactor.text(text) === text);
    if (statements.length > 0) said.push({ ...words, statements });
  }
  return said;
}

async function planFacts(
  parts: DistilParts,
  namespace: string,
  said: readonly Said[],
): Promise<DecidedChange<Distillation['added']>> {
  const plan = new FactPlan(parts, namespace);
  for (const words of said) if (!(await parts.records.isDistilled(words.place))) await plan.add(words);
  const { drafts, sources, added } = plan;
  if (sources.length === 0) return { events: [], answer: [] };
  return {
    events: drafts,
    others: [{ stream: MAINTENANCE_STREAM, events: [wordsDistilled(sources)] }],
    answer: added,
  };
}

class FactPlan {
  readonly drafts: EventDraft[] = [];
  readonly sources: DistilledSource[] = [];
  readonly added: Distillation['added'][number][] = [];
  readonly #parts: DistilParts;
  readonly #namespace: string;
  readonly #texts = new Set<Digest>();
  readonly #byKey = new Map<string, string>();

  constructor(parts: DistilParts, namespace: string) {
    this.#parts = parts;
    this.#namespace = namespace;
  }

  async add({ statements, ...words }: Said): Promise<void> {
    const facts: string[] = [];
    for (const statement of statements) {
      const id = await this.#addOne(statement, words);
      if (id !== undefined) facts.push(id);
    }
    this.sources.push({ place: words.place, facts });
  }

  /** Returns undefined if the same fact is already stored. */
  async #addOne(statement: Statement, { source, at }: SpokenWords): Promise<string | undefined> {
    const { text, importance, confidence } = statement;
    const textDigest = digestOfFact(text);
    const like = { textDigests: [textDigest], keys: statement.key === undefined ? [] : [statement.key] };
    const existing = await this.#parts.facts.liveFacts(this.#namespace, like, this.#parts.clock.now());
    if (this.#texts.has(textDigest) || existing.some((fact) => digestOfFact(fact.text) === textDigest))
      return undefined;
    const id = this.#parts.ids.next();
    const { key, replaced } = this.#takeKey(statement.key, existing, id);
    const body = { text, source, ...(key === undefined ? {} : { key }) };
    this.drafts.push({ type: 'fact.added', data: { id, at, importance, confidence }, body });
    for (const old of replaced) this.drafts.push({ type: 'fact.superseded', data: { id: old, by: id } });
    this.#texts.add(textDigest);
    this.added.push({ id, text, source });
    return id;
  }

  /** A fact that a person stored keeps its key; a distilled one is replaced by what was said later. */
  #takeKey(
    key: string | undefined,
    existing: readonly Fact[],
    by: string,
  ): { readonly key?: string; readonly replaced: readonly string[] } {
    if (key === undefined) return { replaced: [] };
    const held = existing.filter((fact) => fact.key === key);
    if (held.some(({ confidence }) => confidence >= 1)) return { replaced: [] };
    const planned = this.#byKey.get(key);
    this.#byKey.set(key, by);
    return { key, replaced: planned === undefined ? held.map(({ id }) => id) : [planned] };
  }
}
