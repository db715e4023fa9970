// Owns: the places that state a fact besides the fact itself, erasing those that a person chose, and the search afterwards.
// Does not own: how content is erased (erase-content.ts).
// I1 The fact goes last, so that an interrupted erasure can be repeated. I2 "Everywhere" is what a search found, not what was done.
import { relative } from 'node:path';
import { filesWith } from '../../adapters/workspace/index.ts';
import type { FactErasure, FactPlace } from '../../api/index.ts';
import type { ArtifactStore } from '../../engine/index.ts';
import { type Digest, isOkaError, OkaError } from '../../kernel/index.ts';
import { blobsLost, type EventAddress, SYSTEM_STREAM } from '../../ledger/index.ts';
import {
  type Fact,
  type Memory,
  type MemoryErrorCode,
  memoryStream,
  spokenWords,
} from '../../memory/index.ts';
import { openArtifacts } from '../ledger/open-artifacts.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { collectDigests } from '../maintenance/remove-content.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { type ErasureServices, eraseContent } from './erase-content.ts';

type Services = ErasureServices & Pick<WorkspaceServices, 'folder' | 'clock'>;
type Text = Pick<Fact, 'id' | 'text' | 'namespace' | 'index'>;

interface Place extends FactPlace {
  readonly events: EventAddress[];
  readonly artifacts: Set<Digest>;
}

/** The places besides the fact that state it. */
export async function placesOf(
  services: Services,
  ledger: OpenLedger,
  fact: Text,
): Promise<readonly Place[]> {
  await ledger.refresh();
  const states = statementOf(fact.text);
  const stated = await artifactsThat(openArtifacts(services, ledger), states);
  const unnamed = new Set(stated);
  const places = new Map<string, Place>();
  for (const record of ledger.archive.records()) {
    if (!('event' in record)) continue;
    const { stream, index, type, dataText, bodyText } = record.event;
    if (stream === memoryStream(fact.namespace) && index === fact.index) continue;
    const named = new Set<string>();
    collectDigests(dataText + (bodyText ?? ''), named);
    const artifacts = [...stated].filter((digest) => named.has(digest));
    for (const digest of artifacts) unnamed.delete(digest);
    const isInBody = bodyText !== null && states(bodyText);
    const isInData = states(dataText);
    if (!isInBody && !isInData && artifacts.length === 0) continue;
    const { id, what } = nameOf(stream, index, type);
    const place = places.get(id) ?? { id, what, events: [], artifacts: new Set<Digest>() };
    if (isInBody) place.events.push({ stream, index });
    for (const digest of artifacts) place.artifacts.add(digest);
    const fixed = isInData ? 'it is part of the structure of the ledger, which stays' : undefined;
    places.set(id, { ...place, ...(fixed && { fixed }) });
  }
  for (const digest of unnamed)
    places.set(digest, { id: digest, what: 'an artifact', events: [], artifacts: new Set([digest]) });
  return Promise.all([...places.values()].map((place) => withState(ledger, place)));
}

export async function eraseFact(
  services: Services,
  on: { readonly ledger: OpenLedger; readonly memory: Memory },
  request: { readonly id: string; readonly erase: readonly string[]; readonly by: string },
): Promise<FactErasure> {
  const { ledger, memory } = on;
  const { id, by } = request;
  const fact = await memory.fact(id);
  const places = await placesOf(services, ledger, fact);
  const chosen = choose(places, request.erase);
  const kept = places.filter((place) => !chosen.includes(place));
  const events = chosen.flatMap((place) => place.events);
  if (events.length > 0)
    await eraseContent(services, ledger, { events, by, reason: `they state the fact ${id}` });
  await deleteArtifacts(services, ledger, {
    digests: [...new Set(chosen.flatMap((place) => [...place.artifacts]))].filter(
      (digest) => !kept.some((place) => place.artifacts.has(digest)),
    ),
    by,
  });
  try {
    await memory.deleteFact(id, by);
  } catch (error) {
    // A fact that was learned from an erased place went with it.
    if (!isOkaError(error, 'memory.unknown') || events.length === 0) throw error;
  }
  const left = await placesOf(services, ledger, fact);
  const keptIds = new Set(kept.map((place) => place.id));
  const remains = left
    .filter((place) => !keptIds.has(place.id))
    .map(({ what, fixed }) => ({ where: what, why: fixed ?? 'it was stored while the fact was erased' }));
  const inFiles = left.length > 0 ? [] : placesInFiles(services, formsOf(fact.text));
  return {
    id,
    erased: chosen.filter((place) => !left.some((one) => one.id === place.id)).map(viewPlace),
    kept: kept.map(viewPlace),
    remains: [...remains, ...inFiles],
    everywhere: left.length === 0 && inFiles.length === 0,
  };
}

function placesInFiles(
  { folder }: Services,
  texts: readonly string[],
): readonly { readonly where: string; readonly why: string }[] {
  const { found, isComplete } = filesWith(folder.directory, texts);
  const why = 'the file still holds the bytes; the next compaction of the ledger removes them';
  const places = found.map((file) => ({ where: relative(folder.workspace, file), why }));
  if (isComplete) return places;
  const unread = 'other processes replaced files during every search, so a file may still hold the bytes';
  return [...places, { where: relative(folder.workspace, folder.directory), why: unread }];
}

export function viewPlace({ id, what, open, fixed }: FactPlace): FactPlace {
  return { id, what, ...(open && { open }), ...(fixed !== undefined && { fixed }) };
}

/** Recorded first, because events that stay name the artifacts. */
async function deleteArtifacts(
  services: Services,
  ledger: OpenLedger,
  { digests, by }: { readonly digests: readonly Digest[]; readonly by: string },
): Promise<void> {
  if (digests.length === 0) return;
  const event = blobsLost(digests, 'they state a fact that was erased');
  await ledger.events.commit({
    actor: by,
    sync: 'full',
    appends: [{ stream: SYSTEM_STREAM, events: [event] }],
  });
  const artifacts = openArtifacts(services, ledger);
  for (const digest of digests) await artifacts.delete(digest);
}

const ALL = 'all';

function choose(places: readonly Place[], ids: readonly string[]): readonly Place[] {
  const unknown = ids.filter((id) => id !== ALL && !places.some((place) => place.id === id));
  if (unknown.length > 0)
    throw refuse('memory.invalid', `No place "${unknown[0]}" states this fact. Nothing was erased.`, unknown);
  const chosen = places.filter(({ id }) => ids.includes(ALL) || ids.includes(id));
  const open = chosen.filter((place) => place.open);
  if (open.length === 0) return chosen;
  const what = open.map((place) => place.what).join(', ');
  throw refuse(
    'memory.in_use',
    `The fact is stated by what has not ended: ${what}. Nothing was erased. Cancel it or wait for its end, or keep it.`,
    open.map(({ id }) => id),
  );
}

function refuse(
  code: MemoryErrorCode,
  message: string,
  places: readonly string[],
): OkaError<MemoryErrorCode> {
  return new OkaError(code, message, { data: { places: [...places] } });
}

function nameOf(stream: string, index: number, type: string): Pick<FactPlace, 'id' | 'what'> {
  const [kind, ...rest] = stream.split('/');
  const name = rest.join('/');
  if (kind === 'run') return { id: stream, what: `run ${name}` };
  const id = `${stream}/${index}`;
  if (kind === 'chat') return { id, what: `message ${index} in the conversation ${name}` };
  const sort = type.split('.', 1)[0];
  return {
    id,
    what: kind === 'memory' ? `${sort} ${index} in the memory ${name}` : `${type} ${index} in ${stream}`,
  };
}

const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];

async function withState(ledger: OpenLedger, place: Place): Promise<Place> {
  const run = place.id.startsWith('run/') ? await ledger.runs.get(place.id.slice(4)) : undefined;
  return run === undefined || ENDED.includes(run.status) ? place : { ...place, open: true };
}

/** The digests of the artifacts that state something. */
async function artifactsThat(store: ArtifactStore, states: (text: string) => boolean): Promise<Set<Digest>> {
  const found = new Set<Digest>();
  const decoder = new TextDecoder();
  for (const { digest } of await store.list()) {
    try {
      const bytes = await store.get(digest);
      if (bytes !== undefined && states(decoder.decode(bytes))) found.add(digest);
    } catch (error) {
      if (!isOkaError(error, 'engine.artifact_damaged')) throw error;
    }
  }
  return found;
}

/** Whether a text, or JSON with the text in it, says the same words; letter case and punctuation do not matter. */
function statementOf(fact: string): (text: string) => boolean {
  const words = spokenWords(fact);
  const forms = formsOf(fact);
  return (text) =>
    forms.some((form) => text.includes(form)) ||
    (words.trim() !== '' && spokenWords(unescaped(text)).includes(words));
}

/** JSON text, also JSON within JSON, without its escapes. */
function unescaped(json: string): string {
  return json.replaceAll(/\\+(?:u([0-9a-f]{4})|["/bfnrt])/giu, (_, code: string | undefined) =>
    code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The ways in which files hold a text. */
function formsOf(text: string): readonly string[] {
  const plain = [text, text.trim(), text.trim().toLowerCase()].flatMap((one) => [one, one.normalize('NFC')]);
  const escaped = plain.map((one) => JSON.stringify(one).slice(1, -1));
  return [...new Set([...plain, ...escaped, ...escaped.map((one) => JSON.stringify(one).slice(1, -1))])];
}
