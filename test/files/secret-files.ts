import type { Random } from '../../src/kernel/index.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function letters(random: Random, length: number, from = LETTERS): string {
  return Array.from({ length }, () => from[Math.floor(random.next() * from.length)]).join('');
}

/** A secret of every kind that Oka recognizes, and one that is registered. */
export const KINDS: readonly ((random: Random) => string)[] = [
  (random) =>
    `-----BEGIN RSA PRIVATE KEY-----\n${letters(random, 64)}\n${letters(random, 30)}=\n-----END RSA PRIVATE KEY-----`,
  (random) => `sk-proj-${letters(random, 24)}`,
  (random) => `ghp_${letters(random, 36)}`,
  (random) => `AKIA${letters(random, 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  (random) => `xoxb-${letters(random, 12, '0123456789')}-${letters(random, 20)}`,
  (random) => `AIza${letters(random, 35)}`,
  (random) => `eyJ${letters(random, 20)}.${letters(random, 30)}.${letters(random, 20)}`,
  (random) => `Bearer ${letters(random, 24)}`,
  (random) => `https://user:${letters(random, 10)}@host.example/db`,
  () => REGISTERED,
];
export const REGISTERED = 'registered-value-4711';

/** Names with a secret each; some secrets occur twice. */
export function secretPairs(random: Random, oneLine: boolean): { name: string; value: string }[] {
  const kinds = oneLine ? KINDS.slice(1) : KINDS;
  const amount = 1 + Math.floor(random.next() * 5);
  const pairs: { name: string; value: string }[] = [];
  for (let i = 0; i < amount; i++) {
    const old = pairs[Math.floor(random.next() * pairs.length)];
    const kind = kinds[Math.floor(random.next() * kinds.length)] as (random: Random) => string;
    pairs.push({
      name: `${letters(random, 5)}${i}`,
      value: old !== undefined && random.next() < 0.2 ? old.value : kind(random),
    });
  }
  return pairs;
}
