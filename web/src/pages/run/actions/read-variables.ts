import type { Input } from '../../../api/query.ts';
import type { Fields } from '../record/types.ts';

export type Variables = NonNullable<NonNullable<Input<'/v1/runs/{run}/fork', 'post'>['body']>['vars']>;
type Read = { readonly changed: Variables } | { readonly problem: string };

/** The variables that differ from those of the run. A variable cannot be removed: the new run starts with the old ones. */
export function readVariables(text: string, before: Fields): Read {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` };
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    return { problem: 'Write an object, such as {"name": "value"}.' };
  const missing = Object.keys(before).filter((name) => !(name in read));
  if (missing.length > 0)
    return { problem: `A fork keeps every variable. Put back ${missing.join(', ')}, or set it to null.` };
  const isOther = ([name, value]: readonly [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(before[name]);
  return { changed: Object.fromEntries(Object.entries(read).filter(isOther)) as Variables };
}
