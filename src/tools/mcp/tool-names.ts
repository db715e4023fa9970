import { digestOf } from '../../kernel/index.ts';

const SAFE = /^[a-z0-9_-]{1,60}$/;
const LONGEST_PLAIN = 40;
const MARK_LENGTHS = [8, 16, 32, 64];

/**
 * Names that are safe in `mcp.<server>.<tool>`, one for each of the given and no two alike. A name that is safe already
 * stays; one that had to be changed, and would then be like another, carries a mark made of the original.
 */
export function safeNames(names: readonly string[]): ReadonlyMap<string, string> {
  const given = [...new Set(names)];
  const result = new Map(given.filter((name) => SAFE.test(name)).map((name) => [name, name]));
  const taken = new Set(result.keys());
  const changed = given.filter((name) => !result.has(name)).sort();
  const claims = new Map<string, number>();
  for (const name of changed) claims.set(plain(name), (claims.get(plain(name)) ?? 0) + 1);
  for (const name of changed) {
    const isAlone = SAFE.test(plain(name)) && claims.get(plain(name)) === 1;
    const candidates = [
      ...(isAlone ? [plain(name)] : []),
      ...MARK_LENGTHS.map((length) => marked(name, length)),
    ];
    const free = candidates.find((candidate) => !taken.has(candidate)) as string;
    taken.add(free);
    result.set(name, free);
  }
  return result;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '_');
}

function marked(name: string, length: number): string {
  return `${plain(name).slice(0, LONGEST_PLAIN)}_${digestOf(name.toWellFormed()).slice(0, length)}`;
}
