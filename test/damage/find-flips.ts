import { expect } from 'vitest';
import { DamagedWorkspace, type Flip, flipsOf } from './flipped-bits.ts';

/** How a flipped bit ended. `repaired` ones were found too. */
type End = 'repaired' | 'found' | 'harmless';

/** Flips single bits: each is found and repaired without the loss of an event, or changes nothing that can be read. */
export async function findFlips(options: {
  readonly count: number;
  readonly seed: number;
  readonly facts: number;
  /** How many of the found ones are verified and repaired as by a person: in all, and of each kind of page. */
  readonly repairs: { readonly all: number; readonly ofKind: number };
}): Promise<ReadonlySet<string>> {
  const place = new DamagedWorkspace();
  await place.populate(options.facts);
  expect(await place.verify()).toEqual([]);
  await place.restore();
  const before = { content: await place.content(), mirror: place.mirror() };
  const ends = new Set<string>();
  const repairs = new Map<string, number>();
  let all = 0;
  for (const flip of flipsOf(place.database, options.count, options.seed)) {
    const copy = place.copy();
    copy.flip(flip);
    const end = await endOf(flip, copy, await copy.check(), before);
    const done = repairs.get(flip.kind) ?? 0;
    const isRepaired = end === 'found' && done < options.repairs.ofKind && all < options.repairs.all;
    ends.add(`${flip.kind}: ${isRepaired ? await repaired(flip, place, before) : end}`);
    if (!isRepaired) continue;
    repairs.set(flip.kind, done + 1);
    all += 1;
  }
  return ends;
}

/** What the sound workspace holds. */
interface Before {
  readonly content: string;
  readonly mirror: string;
}

async function endOf(
  flip: Flip,
  place: DamagedWorkspace,
  faults: readonly string[],
  before: Before,
): Promise<End> {
  if (faults.length > 0) return 'found';
  expect((await place.content()) === before.content, `not found: ${JSON.stringify(flip)}`).toBe(true);
  return 'harmless';
}

async function repaired(flip: Flip, place: DamagedWorkspace, before: Before): Promise<End> {
  await place.restore();
  place.flip(flip);
  const faults = await place.verify();
  expect(faults, JSON.stringify(flip)).not.toEqual([]);
  const answer = await place.repair();
  const told = { flip, faults, answer };
  const after = { ok: answer.ok, isRepaired: answer.repaired.length > 0, faults: await place.verify() };
  expect({ ...told, after }).toEqual({ ...told, after: { ok: true, isRepaired: true, faults: [] } });
  expect(place.mirror() === before.mirror, JSON.stringify(told)).toBe(true);
  return 'repaired';
}
