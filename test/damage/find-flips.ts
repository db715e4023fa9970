import { expect } from 'vitest';
import { DamagedWorkspace, type Flip, flipsOf } from './flipped-bits.ts';

/** How a flipped bit ended. `repaired` ones were found too. */
type End = 'repaired' | 'found' | 'harmless';

/** Flips single bits: each is found and repaired without the loss of an event, or changes nothing that can be read. */
export async function findFlips(options: {
  readonly count: number;
  readonly seed: number;
  readonly facts: number;
  /** Which of the found ones are verified and repaired as by a person; the others are only found. */
  readonly repairs: (flip: Flip, nth: number) => boolean;
}): Promise<ReadonlySet<string>> {
  const place = new DamagedWorkspace();
  await place.populate(options.facts);
  expect(await place.verify()).toEqual([]);
  await place.restore();
  const before = { content: await place.content(), mirror: place.mirror() };
  const ends = new Set<string>();
  for (const [nth, flip] of flipsOf(place.database, options.count, options.seed).entries()) {
    const repairs = options.repairs(flip, nth);
    ends.add(`${flip.kind}: ${await endOf(place, flip, { ...before, repairs })}`);
  }
  return ends;
}

async function endOf(
  place: DamagedWorkspace,
  flip: Flip,
  before: { readonly content: string; readonly mirror: string; readonly repairs: boolean },
): Promise<End> {
  await place.restore();
  place.flip(flip);
  const faults = await (before.repairs ? place.verify() : place.check());
  if (faults.length === 0) {
    expect((await place.content()) === before.content, `not found: ${JSON.stringify(flip)}`).toBe(true);
    return 'harmless';
  }
  if (!before.repairs) return 'found';
  const answer = await place.repair();
  const told = { flip, faults, answer };
  const after = { ok: answer.ok, isRepaired: answer.repaired.length > 0, faults: await place.verify() };
  expect({ ...told, after }).toEqual({ ...told, after: { ok: true, isRepaired: true, faults: [] } });
  expect(place.mirror() === before.mirror, JSON.stringify(told)).toBe(true);
  return 'repaired';
}
