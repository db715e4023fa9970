import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Oka } from '../../src/runtime/index.ts';
import { MaintainedWorkspace, maintain } from '../maintenance/maintained-workspace.ts';
import { seededRandom } from '../support/seeded-random.ts';

export async function openWorkspace(): Promise<{ readonly oka: Oka; readonly place: MaintainedWorkspace }> {
  const place = new MaintainedWorkspace();
  const oka = place.open();
  await oka.init({ trust: true });
  await oka.chat.create({ name: 'main', by: 'me' });
  return { oka, place };
}

/** Pursues a goal; answers with the stream of its run. */
export async function pursue(oka: Oka, goal: string): Promise<string> {
  const { run } = await oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0 });
  return `run/${run.id}`;
}

interface Stated {
  readonly oka: Oka;
  readonly workspace: string;
  readonly text: string;
}

/** The ways to state a fact besides the fact itself. */
const STATEMENTS: readonly ((stated: Stated) => Promise<unknown>)[] = [
  ({ oka, text }) => pursue(oka, `remember that ${text}`),
  ({ oka, text }) => oka.chat.send({ conversation: 'main', text: `By the way: ${text}!`, by: 'me' }),
  ({ oka, workspace, text }) => {
    writeFileSync(join(workspace, 'notes.txt'), `first\n${text}\nlast\n`);
    return pursue(oka, 'read notes.txt');
  },
  // So long that the output becomes an artifact.
  ({ oka, workspace, text }) => {
    writeFileSync(join(workspace, 'long.txt'), `${'a long line\n'.repeat(20_000)}${text}\n`);
    return pursue(oka, 'read long.txt');
  },
  ({ oka, text }) =>
    oka.memory.recordEpisodes(
      [{ speaker: 'Ada', text: `I said: ${text.toUpperCase()}.`, conversation: 'talk' }],
      'me',
    ),
  ({ oka, text }) => oka.memory.addFact({ text: `${text} (as Ben knows)`, namespace: 'other', by: 'me' }),
];

const WORDS = [
  'zurq',
  'Fjörd',
  'kettle-77',
  '"quoted"',
  'Ülm',
  '4711',
  'back\\slash',
  'naïve',
  'Xylo',
  'new\nline',
];

/** The files of `.oka` that hold a text, as it is or inside JSON. */
export function filesWith({ workspace }: MaintainedWorkspace, text: string): readonly string[] {
  const forms = [text, JSON.stringify(text).slice(1, -1), text.toUpperCase()];
  return readdirSync(join(workspace, '.oka'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => forms.some((form) => readFileSync(file).includes(form)));
}

/** The places whose lines in the mirror hold the text. */
function statedBy(place: MaintainedWorkspace, text: string): ReadonlySet<string> {
  const words = wordsOf(text);
  const lines = readFileSync(place.path('run_ledger.jsonl'), 'utf8').split('\n').filter(Boolean);
  const events = lines.flatMap((line) => {
    const { stream, index, body } = JSON.parse(line) as { stream: string; index: number; body?: object };
    return body !== undefined && wordsOf(stringsIn(body)).includes(words) ? [{ stream, index }] : [];
  });
  return new Set(
    events.map(({ stream, index }) => (stream.startsWith('run/') ? stream : `${stream}/${index}`)),
  );
}

function stringsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return value !== null && typeof value === 'object' ? Object.values(value).map(stringsIn).join(' | ') : '';
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

/** States a random fact in random places, erases it with a random choice, and looks for it. */
export async function eraseRandomFact(seed: number): Promise<void> {
  const random = seededRandom(seed + 1);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const { oka, place } = await openWorkspace();
  const text = `the ${Array.from({ length: 3 }, () => WORDS[below(WORDS.length)]).join(' ')} is in room ${seed}`;
  const { fact } = await oka.memory.addFact({ text, by: 'me' });
  for (let count = 1 + below(3); count > 0; count--)
    await STATEMENTS[below(STATEMENTS.length)]?.({ oka, workspace: place.workspace, text });
  if (below(2) === 0) await maintain(oka);
  const places = await oka.memory.factPlaces(fact.id);
  const isAll = below(2) === 0;
  const chosen = places.filter(() => isAll || below(2) === 0).map(({ id }) => id);
  const kept = places.map(({ id }) => id).filter((id) => !chosen.includes(id));
  const answer = await oka.memory.eraseFact({ id: fact.id, erase: isAll ? ['all'] : chosen, by: 'me' });
  const about = `seed ${seed}: ${JSON.stringify({ text, places, answer })}`;
  expect(answer.kept.map(({ id }) => id).sort(), about).toEqual([...kept].sort());
  expect(answer.remains, about).toEqual([]);
  expect(answer.everywhere, about).toBe(kept.length === 0);
  if (kept.length === 0) expect(filesWith(place, text), about).toEqual([]);
  const left = [...statedBy(place, text)];
  expect(
    left.filter((id) => !kept.includes(id)),
    about,
  ).toEqual([]);
  const { hits } = await oka.memory.retrieve({ query: text, limit: 20 });
  if (kept.length === 0)
    expect(
      hits.filter((hit) => wordsOf(hit.text).includes(wordsOf(text))),
      about,
    ).toEqual([]);
  expect((await oka.ledger.verify({ full: true })).faults, about).toEqual([]);
}
