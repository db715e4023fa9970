import { type Edges, findComponents } from './components.ts';

const BATCH_SIZE = 1_024;
const WORDS = BATCH_SIZE / 32;

/** Asks whether a path of at least one edge leads from one vertex to another. */
export interface ReachQuery {
  readonly from: number;
  readonly to: number;
}

/** Answers many queries at once; the work grows with the edges and with the distinct sources. */
export function answerReach(edges: Edges, queries: readonly ReachQuery[]): boolean[] {
  if (queries.length === 0) return [];
  const components = findComponents(edges);
  const groupOf = (vertex: number): number => components.of[vertex] as number;
  const byComponent: number[][] = Array.from({ length: components.count }, () => []);
  for (const [vertex, component] of components.of.entries()) byComponent[component]?.push(vertex);

  // Edges lead to smaller numbers only, so most queries need no search.
  const answers = queries.map(
    ({ from, to }) => groupOf(from) === groupOf(to) && components.cyclic[groupOf(to)] === true,
  );
  const unclear = queries.flatMap(({ from, to }, index) =>
    groupOf(from) > groupOf(to) ? [{ from, to, index }] : [],
  );
  const sources = [...new Set(unclear.map(({ from }) => from))];
  const numberOf = new Map(sources.map((source, number) => [source, number]));

  for (let first = 0; first < sources.length; first += BATCH_SIZE) {
    const own = new Int32Array(components.count * WORDS);
    for (const [offset, source] of sources.slice(first, first + BATCH_SIZE).entries()) {
      const word = groupOf(source) * WORDS + (offset >> 5);
      own[word] = (own[word] as number) | (1 << (offset & 31));
    }
    const before = spread(edges, components.of, byComponent, own);
    for (const { from, to, index } of unclear) {
      const offset = (numberOf.get(from) as number) - first;
      if (offset < 0 || offset >= BATCH_SIZE) continue;
      const word = groupOf(to) * WORDS + (offset >> 5);
      answers[index] = ((before[word] as number) & (1 << (offset & 31))) !== 0;
    }
  }
  return answers;
}

/** For each group the set of sources that come before it. Groups with higher numbers come first. */
function spread(
  edges: Edges,
  of: Int32Array,
  byComponent: readonly (readonly number[])[],
  own: Int32Array,
): Int32Array {
  const before = new Int32Array(own.length);
  for (let component = byComponent.length - 1; component >= 0; component--) {
    const start = component * WORDS;
    for (const vertex of byComponent[component] as readonly number[]) {
      for (const target of edges[vertex] as readonly number[]) {
        const there = (of[target] as number) * WORDS;
        if (there === start) continue;
        for (let word = 0; word < WORDS; word++)
          before[there + word] =
            (before[there + word] as number) |
            (before[start + word] as number) |
            (own[start + word] as number);
      }
    }
  }
  return before;
}
