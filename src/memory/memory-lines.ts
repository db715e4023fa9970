// The lines in which memory is carried from one place to another: one JSON object each, facts and episodes.
import { type Json, type JsonObject, OkaError } from '../kernel/index.ts';
import { checkEpisode, checkFact, type NewEpisode, type NewFact } from './check-input.ts';
import { givenEpisodeId } from './episode-ids.ts';
import type { Memory } from './memory.ts';
import { SAID_PREFIX } from './memory-events.ts';
import type { MemoryRecords } from './ports.ts';
import type { Episode, Fact, MemoryErrorCode } from './types.ts';

/** What an import has brought. */
export interface ImportReport {
  readonly facts: number;
  readonly episodes: number;
  /** Lines that said what was known already. */
  readonly known: number;
}

type ParsedLine =
  | { readonly kind: 'fact'; readonly fact: NewFact }
  | { readonly kind: 'episode'; readonly episode: NewEpisode };

/** Brings facts and episodes in. Every line is checked first: one that cannot be read refuses all of them. */
export async function importMemory(
  memory: Memory,
  lines: Iterable<string>,
  by: string,
): Promise<ImportReport> {
  const facts: NewFact[] = [];
  const episodes: NewEpisode[] = [];
  let number = 0;
  for (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const parsed = parseLine(line, number);
    if (parsed.kind === 'fact') facts.push(parsed.fact);
    else episodes.push(parsed.episode);
  }
  const added = await memory.addFacts(facts, by);
  const recorded = await memory.recordEpisodes(episodes, by);
  const brought = {
    facts: added.filter(({ outcome }) => outcome !== 'known').length,
    episodes: recorded.filter(({ outcome }) => outcome === 'recorded').length,
  };
  return { ...brought, known: facts.length + episodes.length - brought.facts - brought.episodes };
}

const PAGE = 1_000;

/** Every fact that holds and every episode, as lines that `importMemory` reads. */
export async function* exportMemory(
  records: MemoryRecords,
  options: { readonly namespace?: string; readonly now: number },
): AsyncGenerator<string> {
  const { namespace, now } = options;
  const only = namespace === undefined ? {} : { namespace };
  for (const fact of await records.facts({ ...only, now, limit: Number.MAX_SAFE_INTEGER }))
    yield factLine(fact);
  for (let place = { namespace: namespace ?? '', index: -1 }; ; ) {
    const page = await records.episodesAfter(place, PAGE);
    for (const episode of page) {
      if (namespace !== undefined && episode.namespace !== namespace) return;
      // What was said in conversations stays where it was said.
      if (!episode.namespace.startsWith(SAID_PREFIX)) yield episodeLine(episode);
    }
    const last = page.at(-1);
    if (last === undefined) return;
    place = last;
  }
}

function factLine(fact: Fact): string {
  const { index: _index, supersededBy: _supersededBy, id: _id, ...rest } = fact;
  return JSON.stringify({ kind: 'fact', ...rest });
}

function episodeLine(episode: Episode): string {
  const { index: _index, turn: _turn, ...rest } = episode;
  return JSON.stringify({ kind: 'episode', ...rest, id: givenEpisodeId(episode) });
}

function parseLine(line: string, number: number): ParsedLine {
  const value = parseObject(line, number);
  const { kind } = value;
  try {
    if (kind === 'fact') return { kind, fact: checkFact(readFact(value)) };
    if (kind === 'episode') return { kind, episode: checkEpisode(readEpisode(value)) };
  } catch (cause) {
    throw refused(number, (cause as Error).message, cause);
  }
  throw refused(number, 'its kind is neither "fact" nor "episode"');
}

function parseObject(line: string, number: number): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, '')) as Json;
  } catch (cause) {
    throw refused(number, `it is not JSON: ${(cause as Error).message}`, cause);
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  throw refused(number, 'it is not a JSON object');
}

/** Members are checked by `checkFact`; unknown ones are left out, and null is as good as missing. */
function readFact(value: JsonObject): NewFact {
  const names = ['text', 'namespace', 'importance', 'confidence', 'key', 'source', 'expiresAt', 'at'];
  const restsOn = value['restsOn'];
  const fact = withTimes(pick(value, names));
  if (restsOn === undefined || restsOn === null) return fact as unknown as NewFact;
  const { path, version } = restsOn as { path?: unknown; version?: unknown };
  if (typeof path !== 'string' || typeof version !== 'string')
    throw new Error('restsOn is not an object with a path and a version');
  return { ...(fact as unknown as NewFact), restsOn: { path, version } };
}

function readEpisode(value: JsonObject): NewEpisode {
  const names = ['text', 'namespace', 'conversation', 'speaker', 'source', 'at', 'id'];
  return withTimes(pick(value, names)) as unknown as NewEpisode;
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:\d{2})?)?$/;

/** Times may also be written as ISO 8601 has them, in UTC where they do not say; what is no time is refused later. */
function withTimes(value: JsonObject): JsonObject {
  const times = ['at', 'expiresAt'].flatMap((name): [string, Json][] => {
    const text = value[name];
    const read = typeof text === 'string' ? ISO_TIME.exec(text) : null;
    if (read === null) return [];
    const at = Date.parse(
      read.groups?.['zone'] === undefined && read[0].includes('T') ? `${read[0]}Z` : read[0],
    );
    return Number.isNaN(at) ? [] : [[name, at]];
  });
  return { ...value, ...Object.fromEntries(times) };
}

function pick(value: JsonObject, names: readonly string[]): JsonObject {
  const kept = names.flatMap((name): [string, Json][] => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    return member === undefined || member === null ? [] : [[name, member]];
  });
  return Object.fromEntries(kept);
}

function refused(line: number, problem: string, cause?: unknown): OkaError {
  const code: MemoryErrorCode = 'memory.invalid';
  return new OkaError(code, `line ${line} cannot be imported, so nothing was: ${problem}`, {
    data: { line },
    ...(cause === undefined ? {} : { cause }),
  });
}
