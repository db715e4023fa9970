// Owns: the dotted names of settings, such as limits.steps or prices."openai/gpt-4.1".input.
import { didYouMean, nearestName, OkaError } from '../kernel/index.ts';
import type { NameSchema } from './types.ts';

const PART = /"([^"]+)"|([^."]+)/y;

/** Splits a name at its dots. A part with a dot in it is quoted. */
export function parseName(name: string): readonly string[] {
  const parts: string[] = [];
  let end = 0;
  while (end < name.length) {
    PART.lastIndex = end;
    const found = PART.exec(name);
    const next = found === null ? end : end + found[0].length;
    const isComplete = next === name.length || (name[next] === '.' && next + 1 < name.length);
    if (found === null || !isComplete) throw invalidName(name);
    parts.push((found[1] ?? found[2]) as string);
    end = next + 1;
  }
  if (parts.length === 0) throw invalidName(name);
  return parts;
}

export function showName(path: readonly string[]): string {
  return path.map((part) => (/[."]/.test(part) ? `"${part}"` : part)).join('.');
}

/** Throws if no file can have this setting, or if only the user's own file can. */
export async function requireKnown(path: readonly string[], owner: 'user' | 'project'): Promise<void> {
  const { nameSchema } = await import('./schema.ts');
  const unknownAt = firstUnknown(nameSchema(owner), path);
  if (unknownAt === undefined) return;
  if (owner === 'project' && firstUnknown(nameSchema('user'), path) === undefined) {
    const message = `${showName(path)} can only be set in your own configuration. Run it without --project.`;
    throw new OkaError('config.invalid', message, { data: { setting: showName(path) } });
  }
  const { index, names } = unknownAt;
  const near = nearestName(path[index] ?? '', names);
  const nearest =
    near === undefined ? undefined : showName([...path.slice(0, index), near, ...path.slice(index + 1)]);
  const place = index === 0 ? 'Settings' : `Settings of ${showName(path.slice(0, index))}`;
  const otherwise = names.length === 0 ? 'See: oka config list --all' : `${place}: ${names.join(', ')}.`;
  const message = `Unknown setting "${showName(path)}". ${didYouMean(nearest, otherwise)}`;
  throw new OkaError('config.invalid', message, { data: { setting: showName(path) } });
}

/** The first part of the path that the schema does not know, and the names that it knows there. */
function firstUnknown(
  schema: NameSchema,
  path: readonly string[],
): { readonly index: number; readonly names: readonly string[] } | undefined {
  let level: readonly NameSchema[] = [schema];
  for (const [index, part] of path.entries()) {
    const choices = level.flatMap(alternatives);
    const next = choices.flatMap((choice) => memberOf(choice, part) ?? []);
    if (next.length === 0) {
      const names = choices.flatMap(({ properties }) => Object.keys(properties ?? {}));
      return { index, names: [...new Set(names)].filter((name) => name !== '$schema') };
    }
    level = next;
  }
  return undefined;
}

function memberOf(
  { properties = {}, additionalProperties }: NameSchema,
  name: string,
): NameSchema | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function alternatives(schema: NameSchema): readonly NameSchema[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return inner.length === 0 ? [schema] : inner.flatMap(alternatives);
}

/** Every name that a file can have, with `<name>` where the user chooses it. */
export async function knownNames(owner: 'user' | 'project'): Promise<readonly string[]> {
  const { nameSchema } = await import('./schema.ts');
  return [...new Set(namesIn(nameSchema(owner), []))];
}

function namesIn(schema: NameSchema, path: readonly string[]): readonly string[] {
  return alternatives(schema).flatMap(({ properties, additionalProperties }) => {
    const members = Object.entries(properties ?? {}).filter(([name]) => name !== '$schema');
    const chosen =
      typeof additionalProperties === 'object' ? [['<name>', additionalProperties] as const] : [];
    const all = [...members, ...chosen];
    if (all.length === 0) return [path.join('.')];
    return all.flatMap(([name, member]) => namesIn(member, [...path, name]));
  });
}

function invalidName(name: string): OkaError {
  const message = `Invalid setting "${name}": expected names with dots, such as limits.steps or prices."openai/gpt-4.1".input.`;
  return new OkaError('config.invalid', message, { data: { setting: name } });
}
