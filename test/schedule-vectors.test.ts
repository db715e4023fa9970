import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DstPolicy, nextFirings, parseCron } from '../src/schedule/index.ts';

interface Vectors {
  readonly origin: { readonly project: string; readonly licence: string; readonly file: string };
  readonly rules: Readonly<Record<string, string>>;
  readonly fires: readonly {
    readonly cron: string;
    readonly zone: string;
    readonly dst?: DstPolicy;
    readonly after: string;
    readonly fires: readonly string[];
  }[];
  readonly silent: readonly { readonly cron: string; readonly zone: string; readonly at: string }[];
  readonly refused: readonly string[];
  readonly neverFires: readonly string[];
  readonly differs: readonly {
    readonly cron: string;
    readonly zone?: string;
    readonly after?: string;
    readonly theirs: string | readonly string[];
    readonly ours: 'refused' | 'accepted' | readonly string[];
    readonly rule: string;
  }[];
}

const folder = new URL('./cron-vectors/', import.meta.url);
const suites = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Vectors);

function firings(cron: string, zone: string, after: string, count: number, dst?: DstPolicy): string[] {
  return nextFirings(cron, zone, Date.parse(after), count, dst).map((at) =>
    new Date(at).toISOString().replace('.000Z', 'Z'),
  );
}

const refusal = expect.objectContaining({ code: 'schedule.invalid_cron' }) as Error;
const never = expect.objectContaining({ code: 'schedule.never_fires' }) as Error;

describe.each(suites)('the vectors of $origin.project', (vectors) => {
  it('fire when the suite expects it', () => {
    for (const { cron, zone, after, fires, dst } of vectors.fires)
      expect(firings(cron, zone, after, fires.length, dst), `${cron} in ${zone} after ${after}`).toEqual(
        fires,
      );
  });

  it('do not fire when the suite expects that', () => {
    for (const { cron, zone, at } of vectors.silent) {
      const before = new Date(Date.parse(at) - 1_000).toISOString();
      expect(firings(cron, zone, before, 1), `${cron} at ${at}`).not.toEqual([at]);
    }
  });

  it('are refused when the suite expects that', () => {
    for (const cron of vectors.refused) expect(() => parseCron(cron), cron).toThrow(refusal);
    for (const cron of vectors.neverFires) expect(() => parseCron(cron), cron).toThrow(never);
  });

  it('differ from the suite only by a documented rule', () => {
    for (const {
      cron,
      zone = 'UTC',
      after = '2026-01-01T00:00:00Z',
      theirs,
      ours,
      rule,
    } of vectors.differs) {
      expect(vectors.rules[rule], rule).toBeTypeOf('string');
      expect(ours).not.toEqual(theirs);
      if (ours === 'refused') expect(() => parseCron(cron), cron).toThrow(refusal);
      else if (ours === 'accepted') expect(firings(cron, zone, after, 1)).toHaveLength(1);
      else expect(firings(cron, zone, after, ours.length), `${cron} in ${zone}`).toEqual(ours);
    }
  });
});

it('the suites have enough vectors, and each is named with its licence', () => {
  const count = suites.reduce(
    (sum, { fires, silent, refused, neverFires }) =>
      sum + fires.length + silent.length + refused.length + neverFires.length,
    0,
  );
  expect(count).toBeGreaterThanOrEqual(300);
  for (const { origin } of suites) expect(origin.licence).not.toBe('');
});
