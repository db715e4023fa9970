import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryHitView } from '../../src/api/index.ts';
import { Oka } from '../../src/index.ts';
import { generateSet } from '../retrieval/generate-set.ts';

const DEPTHS = [5, 10, 20] as const;
const MANY = 200;

type Order = (hits: readonly MemoryHitView[]) => readonly MemoryHitView[];

/** The order of the product, and what would be left of it by words alone and by vectors alone. */
const ORDERS: Readonly<Record<string, Order>> = {
  keyword: (hits) => byPart(hits, 'keyword'),
  vector: (hits) => byPart(hits, 'vector'),
  fused: (hits) => hits,
};

function byPart(hits: readonly MemoryHitView[], part: 'keyword' | 'vector'): readonly MemoryHitView[] {
  return hits.filter(({ why }) => why[part] > 0).sort((one, other) => other.why[part] - one.why[part]);
}

export interface ProductRecall {
  readonly questions: number;
  readonly degraded: number;
  /** By way, what share of the evidence is among so many hits. */
  readonly ways: Readonly<Record<string, Readonly<Record<number, number>>>>;
}

/** How much of the evidence of a part of the set the product finds: imported as lines, asked as a person would. */
export async function askProduct(part: 'train' | 'held-out', most = MANY): Promise<ProductRecall> {
  const folder = mkdtempSync(join(tmpdir(), 'oka-evaluation-'));
  const oka = new Oka({ workspace: folder, home: join(folder, 'home') });
  const found = new Map(Object.keys(ORDERS).map((way) => [way, DEPTHS.map((): number[] => [])]));
  let [questions, degraded] = [0, 0];
  try {
    await oka.init({ trust: true });
    const conversations = generateSet(part);
    await oka.memory.importLines(linesOf(conversations), 'evaluation');
    for (const [number, { turns, questions: asked }] of conversations.entries()) {
      const texts = new Map(turns.map(({ id, speaker, text }) => [id, `${speaker}: ${text}`]));
      for (const { text, evidence } of asked.slice(0, most)) {
        const request = { query: text, namespace: `n${number}` };
        const answer = await oka.memory.retrieve({ ...request, limit: Math.max(...DEPTHS) });
        const { hits: many } = await oka.memory.retrieve({ ...request, limit: MANY });
        questions += 1;
        if (answer.degraded) degraded += 1;
        const wanted = evidence.map((id) => texts.get(id) ?? '');
        for (const [way, order] of Object.entries(ORDERS)) {
          const hits = order(way === 'fused' ? answer.hits : many).map((hit) => hit.text);
          for (const [i, depth] of DEPTHS.entries())
            found.get(way)?.[i]?.push(shareOf(wanted, hits.slice(0, depth)));
        }
      }
    }
  } finally {
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
    turns.map(({ text, speaker, conversation, at }) =>
      JSON.stringify({
        kind: 'episode',
        namespace: `n${number}`,
        conversation,
        at,
        text: `${speaker}: ${text}`,
      }),
    ),
  );
}

function shareOf(wanted: readonly string[], hits: readonly string[]): number {
  return wanted.filter((text) => hits.includes(text)).length / wanted.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
