// The export format of memory: one JSON object per line, a fact or an episode.
import { type Json, type JsonObject, OkaError, parseJson } from '../kernel/index.ts';
import { checkEpisode, checkFact, type NewEpisode, type NewFact } from './check-input.ts';
import type { Memory } from './memory.ts';
import { CHAT_PREFIX, importedEpisodeId } from './memory-events.ts';
import type { MemoryRecords } from './ports.ts';
import type { Episode, Fact, MemoryErrorCode } from './types.ts';

export interface ImportReport {
  readonly facts: number;
  readonly episodes: number;
  /** Lines with facts or episodes that already existed. */
  readonly known: number;
}

/** Imports facts and episodes. Every line is checked first: an invalid one rejects the whole import. */
export async function importMemory(
  memory: Memory,
  lines: Iterable<string>,
  by: string,
  onProgress?: (done: number, total: number) => void,
): Promise<ImportReport> {
  const facts: NewFact[] = [];
  const episodes: NewEpisode[] = [];
  let number = 0;
  for (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const parsed = parseLine(line, number);
    if ('fact' in parsed) facts.push(parsed.fact);
    else episodes.push(parsed.episode);
  }
  const total = facts.length + episodes.length;
  onProgress?.(0, total);
  const added = await memory.addFacts(facts, by, (done) => onProgress?.(done, total));
  const recorded = await memory.recordEpisodes(episodes, by, (done) =>
    onProgress?.(facts.length + done, total),
  );
  const imported = {
    facts: added.filter(({ outcome }) => outcome !== 'known').length,
    episodes: recorded.filter(({ outcome }) => outcome === 'recorded').length,
  };
  return { ...imported, known: facts.length + episodes.length - imported.facts - imported.episodes };
}

const PAGE = 1_000;

/** Every live fact and every episode, as lines that `importMemory` reads. */
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
      // Messages of conversations are not exported.
      if (!episode.namespace.startsWith(CHAT_PREFIX)) yield episodeLine(episode);
    }
    const last = page.at(-1);
    if (last === undefined) return;
    place = last;
  }
}

function factLine({ index: _index, supersededBy: _supersededBy, id: _id, by: _by, ...fact }: Fact): string {
  return JSON.stringify({ kind: 'fact', ...fact });
}

function episodeLine(episode: Episode): string {
  const { index: _index, turn: _turn, ...rest } = episode;
  return JSON.stringify({ kind: 'episode', ...rest, id: importedEpisodeId(episode) });
}

function parseLine(
  line: string,
  number: number,
): { readonly fact: NewFact } | { readonly episode: NewEpisode } {
  const value = parseObject(line, number);
  try {
    if (value['kind'] === 'fact') return { fact: checkFact(readFact(value)) };
    if (value['kind'] === 'episode') return { episode: checkEpisode(readEpisode(value)) };
  } catch (cause) {
    throw invalidLine(number, (cause as Error).message, cause);
  }
  throw invalidLine(number, 'its kind is neither "fact" nor "episode"');
}

function parseObject(line: string, number: number): JsonObject {
  let value: Json;
  try {
    value = parseJson(line.replace(/^\uFEFF/, '')) as Json;
  } catch (cause) {
    throw invalidLine(number, `it is not JSON: ${(cause as Error).message}`, cause);
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  throw invalidLine(number, 'it is not a JSON object');
}

/** `checkFact` checks the members. Unknown ones are ignored; null counts as missing. */
function readFact(value: JsonObject): NewFact {
  const names = [
    'text',
    'namespace',
    'importance',
    'confidence',
    'key',
    'source',
    'expiresAt',
    'at',
    'candidate',
  ];
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

/** Converts ISO 8601 times, in UTC unless they name a zone. `checkTime` rejects what is not a time. */
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
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => names.includes(name) && member !== null),
  );
}

function invalidLine(line: number, problem: string, cause?: unknown): OkaError {
  return new OkaError<MemoryErrorCode>('memory.invalid', `Nothing was imported. Line ${line}: ${problem}`, {
    data: { line },
    ...(cause === undefined ? {} : { cause }),
  });
}
