import { onTestFinished } from 'vitest';
import type { PackAnswer } from '../src/api/index.ts';
import { openContextPack } from '../src/runtime/memory/context-pack.ts';
import { openMemory } from '../src/runtime/memory/memory.ts';
import { OpenWorkspace } from '../src/runtime/services/open-workspace.ts';
import { ManualClock } from './support/manual-clock.ts';
import { seededRandom } from './support/seeded-random.ts';
import { tempFolder } from './support/temp-folder.ts';

const WORDS = 'release invoice customer deadline server backup meeting budget travel contract'.split(' ');
const BATCH = 5_000;
/** So many facts and as many episodes are a history of once its size. */
const UNIT = 20;

/** Facts and episodes of many sizes, each of which has something to do with a release. */
function* history(from: number, to: number): Generator<string> {
  const { float } = numbers(from + 1);
  const words = (count: number): string =>
    Array.from({ length: count }, () => WORDS[Math.floor(float() * WORDS.length)]).join(' ');
  for (let i = from; i < to; i++) {
    const size = 3 + Math.floor(float() ** 3 * 200);
    yield JSON.stringify({
      kind: 'fact',
      text: `release ${i}: ${words(size)}`,
      importance: 1 + Math.floor(float() * 4),
    });
    const conversation = `c${Math.floor(i / 20)}`;
    yield JSON.stringify({ kind: 'episode', text: `turn ${i} of the release: ${words(size)}`, conversation });
  }
}

function numbers(seed: number): { float: () => number } {
  let state = seed;
  return {
    float: () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    },
  };
}

/** The packs of each cap for the same goal while the history grows to so many times its unit. */
export async function packsWhileGrowing(
  factors: readonly number[],
  caps: readonly number[],
): Promise<PackAnswer[][]> {
  const services = new OpenWorkspace({
    workspace: tempFolder(),
    home: tempFolder(),
    clock: new ManualClock(),
    random: seededRandom(3),
    graphs: () => Promise.reject(new Error('no graphs here')),
  });
  onTestFinished(() => services.close());
  services.folder.create();
  services.trust.trustWith([]);
  const memory = openMemory(services);
  const packs = openContextPack(services);
  const answers = caps.map((): PackAnswer[] => []);
  let there = 0;
  for (const factor of factors) {
    for (; there < factor * UNIT; there = Math.min(there + BATCH, factor * UNIT))
      await memory.importLines(history(there, Math.min(there + BATCH, factor * UNIT)), 'me');
    for (const [i, cap] of caps.entries())
      answers[i]?.push(await packs.preview({ goal: 'prepare the release for the customer', cap }));
  }
  return answers;
}

/** The sizes of the packs whose cap binds. */
export function boundSizes(answers: readonly PackAnswer[]): number[] {
  return answers
    .filter(({ dropped }) => dropped.some(({ why }) => why === 'cap'))
    .map(({ tokens }) => tokens);
}
