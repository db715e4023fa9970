import type * as z from 'zod';

/** Lists validation problems with their paths: `$.turns[0].text: …`. */
export function describeIssues({ issues }: Pick<z.ZodError, 'issues'>): string[] {
  return issues.map(({ path, message }) => `${placeOf(path)}: ${message}`);
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (at, key) => at + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`),
    '$',
  );
}
