import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { SqliteTextSearch } from '../../src/adapters/sqlite/index.ts';
import { Oka } from '../../src/index.ts';
import { searchTerms } from '../../src/memory/search-terms.ts';
import { generateSet } from '../retrieval/generate-set.ts';

const DEPTHS = [5, 10, 20] as const;
const DEEPEST = Math.max(...DEPTHS);

/** What is asked, and where. */
interface Asked {
  readonly query: string;
  readonly namespace: string;
}

/** What one way of searching finds, best first: the product its ids, the others their texts. */
type Way = (asked: Asked) => Promise<readonly string[]>;

/** Searches by the index of words alone, without ranking. */
function keywordWay(file: string): { keyword: Way; close: () => void } {
  const database = new DatabaseSync(file, { readOnly: true });
  const search = new SqliteTextSearch(database, file);
  const textsAt = (places: readonly number[]): readonly string[] => {
    const texts = search.textsAt('episodes', places);
    return places.map((place) => texts.get(place) ?? '');
  };
  return {
    keyword: async ({ query, namespace }) => {
      const { own } = searchTerms(query);
      const scope = { namespace, now: 0, limit: DEEPEST, around: 0 };
      return textsAt((await search.episodes({ own, related: [] }, scope)).map(({ place }) => place));
    },
    close: () => database.close(),
  };
}

export interface ProductRecall {
  readonly questions: number;
  readonly degraded: number;
  /** By way, what share of the evidence is among so many hits. */
  readonly ways: Readonly<Record<string, Readonly<Record<number, number>>>>;
}

/** How much of the evidence of a part of the set the product finds: imported as lines, asked as a person would. */
export async function askProduct(
  part: 'train' | 'held-out',
  most = Number.MAX_SAFE_INTEGER,
): Promise<ProductRecall> {
  const folder = mkdtempSync(join(tmpdir(), 'oka-evaluation-'));
  const oka = new Oka({ workspace: folder, home: join(folder, 'home') });
  const found = new Map(['keyword', 'fused'].map((way) => [way, DEPTHS.map((): number[] => [])]));
  let [questions, degraded] = [0, 0];
  let close = (): void => undefined;
  try {
    await oka.init({ trust: true });
    const conversations = generateSet(part);
    await oka.memory.importLines(linesOf(conversations), 'evaluation');
    const { keyword, ...opened } = keywordWay(join(folder, '.oka', 'oka.db'));
    close = opened.close;
    const fused: Way = async (asked) => {
      const { hits, degraded: isDegraded } = await oka.memory.retrieve({ ...asked, limit: DEEPEST });
      if (isDegraded) degraded += 1;
      return hits.map(({ id }) => id);
    };
    for (const [number, { turns, questions: asked }] of conversations.entries()) {
      const texts = new Map(turns.map(({ id, speaker, text }) => [id, `${speaker}: ${text}`]));
      const ids = new Map(turns.map(({ id }) => [id, idIn(id)]));
      for (const { text, evidence } of asked.slice(0, most)) {
        questions += 1;
        for (const [way, search] of Object.entries({ keyword, fused })) {
          const wanted = evidence.map((id) => (way === 'fused' ? ids : texts).get(id) ?? '');
          const hits = await search({ query: text, namespace: `n${number}` });
          for (const [i, depth] of DEPTHS.entries())
            found.get(way)?.[i]?.push(shareOf(wanted, hits.slice(0, depth)));
        }
      }
    }
  } finally {
    close();
    await oka.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const ways = [...found].map(([way, lists]) => [
    way,
    Object.fromEntries(lists.map((list, i) => [DEPTHS[i] as number, mean(list)])),
  ]);
  return { questions, degraded, ways: Object.fromEntries(ways) };
}

function linesOf(conversations: ReturnType<typeof generateSet>): string[] {
  return conversations.flatMap(({ turns }, number) =>
    turns.map(({ id, text, speaker, conversation, at }) =>
      JSON.stringify({
        kind: 'episode',
        id: idIn(id),
        namespace: `n${number}`,
        conversation,
        at,
        speaker,
        text,
      }),
    ),
  );
}

/** An id as a single conversation would number its turns: others have the same ones. */
function idIn(id: string): string {
  return `D${id.slice(id.indexOf('/') + 1)}`;
}

function shareOf(wanted: readonly string[], hits: readonly string[]): number {
  return wanted.filter((text) => hits.includes(text)).length / wanted.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
