import { comparison, meanDirection, normalise } from './centre.ts';
import { type Embedder, embedTexts } from './embedder.ts';

/** Questions and answers that share no significant word. 16 pairs, so that a query can afford to embed them once. */
const PAIRS = `
Which pet lives with her? | The kitten sleeps on my sofa every night.
How does he travel to the office? | I take the train at seven each morning.
What is she allergic to? | Peanuts make my throat swell.
Why was the meeting postponed? | The director fell ill, so we will gather on Friday instead.
What does he do for a living? | I repair roofs and gutters.
Where do they spend the holidays? | We rent a cabin by the lake each August.
Which instrument is he learning? | My violin teacher says I should practise more.
How is the baby called? | We named our daughter Clara.
What did the storm destroy? | The wind tore down the old barn.
When is the invoice due? | Payment must arrive before the end of March.
Who won the match? | Our team beat them by three goals.
What illness did the doctor find? | She was diagnosed with asthma last spring.
Which database does the service use? | All records are stored in Postgres.
How much did the car cost? | I paid nine thousand for the used Toyota.
What is his favourite dish? | Nothing beats lasagne with extra cheese.
Why did she leave the company? | I resigned because my boss kept shouting.
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [string, string]);

/** The weight of an embedder by its quality; between two points it is interpolated. docs/retrieval.md says how they were found. */
const WEIGHTS: readonly (readonly [quality: number, weight: number])[] = [
  [0.65, 0.02],
  [0.89, 0.1],
  [1, 0.4],
];

/**
 * How well an embedder finds the answers of known questions: the share of wrong answers that are less similar to a
 * question than the right one, over all questions. 0.5 is chance.
 */
export async function measureQuality(embedder: Embedder): Promise<number> {
  const vectors = (await embedTexts(embedder, PAIRS.flat())).map(normalise);
  const mean = meanDirection(vectors);
  let better = 0;
  for (let asked = 0; asked < PAIRS.length; asked += 1) {
    const compare = comparison(vectors[2 * asked] as Float32Array, mean);
    const likeness = PAIRS.map((_, other) => compare(vectors[2 * other + 1] as Float32Array));
    const right = likeness[asked] as number;
    for (const [other, wrong] of likeness.entries())
      if (other !== asked) better += right > wrong ? 1 : right === wrong ? 0.5 : 0;
  }
  return better / (PAIRS.length * (PAIRS.length - 1));
}

/** The weight of an embedder of this quality in the score of a text. */
export function weightOfQuality(quality: number): number {
  const next = WEIGHTS.findIndex(([at]) => quality <= at);
  if (next <= 0) return (WEIGHTS.at(next) as readonly [number, number])[1];
  const [from, lower] = WEIGHTS[next - 1] as readonly [number, number];
  const [to, upper] = WEIGHTS[next] as readonly [number, number];
  return lower + ((quality - from) / (to - from)) * (upper - lower);
}
