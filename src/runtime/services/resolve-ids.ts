// Owns: what a person may write for an id: all of it, its start or end, `last`, `@2`. Every operation resolves ids here, so that
// commands, sessions, the daemon and MCP accept the same. I1 A part that fits several things resolves to none of them.

import { type ErrorCode, isWholeId, MIN_ID_PART, type OperationName, shortIds } from '../../api/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { IdTable } from '../../ledger/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

type NamedKind = 'run' | 'approval' | 'fact' | 'grant' | 'schedule';

interface IdArgument {
  readonly kind: NamedKind;
  /** The field of the first argument; the argument itself if missing. */
  readonly field?: string;
  /** False for operations that must not act on `last`: the user may not know which one that is. */
  readonly counted?: false;
}

const RUN: IdArgument = { kind: 'run' };
const RUN_FIELD: IdArgument = { kind: 'run', field: 'run' };
const FACT: IdArgument = { kind: 'fact' };
const SCHEDULE: IdArgument = { kind: 'schedule' };

/** The operations that take an id. */
const ID_ARGUMENTS: { readonly [Name in OperationName]?: IdArgument } = {
  'runs.show': RUN,
  'runs.explain': RUN,
  'runs.export': RUN,
  'runs.events': RUN_FIELD,
  'runs.artifact': RUN,
  'runs.replay': RUN,
  'runs.pause': RUN,
  'runs.resume': RUN_FIELD,
  'runs.signal': RUN,
  'runs.fork': RUN,
  'runs.cancel': RUN,
  'runs.undo': RUN,
  'runs.correct': RUN,
  'runs.pinDifferences': RUN,
  'approvals.list': RUN_FIELD,
  'approvals.page': RUN_FIELD,
  'approvals.show': { kind: 'approval' },
  // A newer request may arrive between looking and deciding.
  'approvals.approve': { kind: 'approval', field: 'id', counted: false },
  'approvals.deny': { kind: 'approval' },
  'graphs.fromRun': RUN,
  'graphs.replay': RUN,
  'graphs.repinDifferences': RUN,
  'graphs.state.checkpoints': RUN,
  'graphs.schedules.enable': SCHEDULE,
  'graphs.schedules.disable': SCHEDULE,
  'graphs.schedules.delete': SCHEDULE,
  'graphs.schedules.trigger': SCHEDULE,
  'memory.getFact': FACT,
  'memory.history': FACT,
  'memory.undoFact': FACT,
  'memory.confirmFact': FACT,
  'memory.rejectFact': FACT,
  'memory.deleteFact': FACT,
  'memory.factPlaces': FACT,
  'memory.eraseFact': { kind: 'fact', field: 'id' },
  'grants.revoke': { kind: 'grant', field: 'id' },
  'evals.add': RUN_FIELD,
  'ledger.tail': RUN_FIELD,
};

const TABLES: { readonly [Kind in NamedKind]?: readonly IdTable[] } = {
  run: ['runs', 'simulations'],
  // An approval can be named by its run.
  approval: ['approvals', 'runs'],
  fact: ['facts', 'quarantined_facts'],
};

const UNKNOWN: Readonly<Record<'run' | 'approval', ErrorCode>> = {
  run: 'engine.unknown_run',
  approval: 'engine.unknown_approval',
};

const MAX_CANDIDATES = 5;

interface IdSources {
  readonly isTrusted: () => boolean;
  readonly ledger: () => OpenLedger;
  /** Kinds that are few and not in a table of the ledger. */
  readonly list: (kind: 'grant' | 'schedule') => Promise<readonly string[]>;
}

/** The same part of the API, with ids resolved. `area` is its name, such as `graphs.state`. */
export function withResolvedIds<Api extends object>(area: string, api: Api, sources: IdSources): Api {
  return new Proxy(api, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      const argument = ID_ARGUMENTS[`${area}.${String(name)}` as OperationName];
      if (argument === undefined || typeof member !== 'function') return member;
      // An operation of several items answers with a generator, not with a promise.
      const call = (input: readonly unknown[]): unknown => Reflect.apply(member, target, input);
      if (`${area}.${String(name)}` === 'ledger.tail')
        return async function* (first: unknown, ...rest: unknown[]) {
          yield* call([await resolveArgument(argument, first, sources), ...rest]) as AsyncIterable<unknown>;
        };
      return async (first: unknown, ...rest: unknown[]) =>
        call([await resolveArgument(argument, first, sources), ...rest]);
    },
  });
}

async function resolveArgument(argument: IdArgument, given: unknown, sources: IdSources): Promise<unknown> {
  if (argument.field === undefined)
    return typeof given === 'string' ? resolveId(argument, given, sources) : given;
  const fields = given as Readonly<Record<string, unknown>> | undefined;
  const text = fields?.[argument.field];
  if (typeof text !== 'string') return given;
  return { ...fields, [argument.field]: await resolveId(argument, text, sources) };
}

/** The id that a text means. In an untrusted folder the operation decides first whether it may run at all. */
async function resolveId(argument: IdArgument, text: string, sources: IdSources): Promise<string> {
  try {
    return await findId(argument, text, sources);
  } catch (error) {
    if (sources.isTrusted()) throw error;
    return text;
  }
}

/** A text that fits nothing stays as it is: the operation says that it is unknown. */
async function findId(
  { kind, counted }: Pick<IdArgument, 'kind' | 'counted'>,
  text: string,
  { ledger, list }: IdSources,
): Promise<string> {
  if (isWholeId(text)) return text;
  if (kind === 'grant' || kind === 'schedule') {
    const ids = await list(kind);
    if (ids.includes(text) || text.length < MIN_ID_PART) return text;
    return only(
      kind,
      text,
      ids.filter((id) => id.startsWith(text) || id.endsWith(text)),
    );
  }
  const { finder } = ledger();
  const tables = TABLES[kind] ?? [];
  const position = kind === 'fact' ? undefined : positionOf(text);
  if (position !== undefined && (kind === 'run' || kind === 'approval')) {
    if (counted === false) throw notCounted(text);
    const found = await (kind === 'run' ? finder.newestRun(position) : finder.newestApproval(position));
    if (found === undefined) throw tooFew(kind, text, position);
    return found;
  }
  if (text.length < MIN_ID_PART || (await finder.has(tables, text))) return text;
  return only(kind, text, await finder.find(tables, text.toLowerCase(), MAX_CANDIDATES + 1));
}

/** 1 for `last` and `@1`, 2 for `@2`. */
function positionOf(text: string): number | undefined {
  const digits = text === 'last' ? '1' : /^@(\d{1,6})$/.exec(text)?.[1];
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
}

function only(kind: NamedKind, text: string, found: readonly string[]): string {
  const [first, ...more] = found;
  if (first === undefined) return text;
  if (more.length === 0) return first;
  const shown = found.slice(0, MAX_CANDIDATES).map(shortIds(found));
  const rest = found.length > MAX_CANDIDATES ? ' and more' : '';
  throw new OkaError<ErrorCode>(
    'cli.ambiguous_id',
    `"${text}" fits several ${kind}s: ${shown.join(', ')}${rest}. Write more of the id.`,
    { data: { given: text, kind, candidates: found.slice(0, MAX_CANDIDATES) } },
  );
}

function tooFew(kind: 'run' | 'approval', text: string, position: number): OkaError<ErrorCode> {
  const what = kind === 'run' ? 'run' : 'pending approval';
  const message = position === 1 ? `There is no ${what} yet.` : `There are fewer than ${position} ${what}s.`;
  return new OkaError<ErrorCode>(UNKNOWN[kind], `${message} See: oka ${kind}s list.`, {
    data: { [kind]: text },
  });
}

function notCounted(text: string): OkaError<ErrorCode> {
  return new OkaError<ErrorCode>(
    'engine.unknown_approval',
    `"${text}" could be a request that you have not seen. Name the approval by its id. See: oka approvals list.`,
    { data: { approval: text } },
  );
}
