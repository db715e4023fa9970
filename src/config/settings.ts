// Owns: reading and changing single settings of a configuration file, by their dotted names.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readTextFile, replaceFile, withFileLock } from '../disk/index.ts';
import { createRedactor, isOkaError, type Json, OkaError, parseJson } from '../kernel/index.ts';
import { checkConfig, readConfig } from './load-config.ts';
import { mergeConfigs } from './merge-configs.ts';
import { parseName, requireKnown, showName } from './setting-names.ts';
import { DEFAULT_CONFIG } from './types.ts';

export type ConfigOwner = 'user' | 'project';

export interface SettingsFile {
  readonly file: string;
  readonly owner: ConfigOwner;
}

/** A setting as it is in a file; `value` is safe to print. */
export interface Setting {
  readonly name: string;
  readonly value: Json;
}

type JsonObject = { [name: string]: Json };

/** The settings of a file, one for each value that is not an object. */
export async function listSettings({ file }: SettingsFile): Promise<readonly Setting[]> {
  return leaves([], (await readObject(file)).value);
}

/** The value of a setting, or undefined if the file does not set it. */
export async function getSetting({ file, owner }: SettingsFile, name: string): Promise<Json | undefined> {
  const path = parseName(name);
  await requireKnown(path, owner);
  let value: Json | undefined = (await readObject(file)).value;
  for (const part of path) value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value === undefined ? undefined : withoutSecrets(value);
}

/**
 * Sets a setting, or removes it if `text` is undefined. The text is JSON, or a plain string. The file keeps its indentation and
 * the order of its keys. Throws if the file would become invalid, or if the user's own file overrides a setting of a project.
 */
export async function changeSetting(
  target: SettingsFile & { readonly userFile: string },
  name: string,
  text: string | undefined,
): Promise<{ readonly changed: boolean; readonly value?: Json }> {
  const { file, owner, userFile } = target;
  const path = parseName(name);
  await requireKnown(path, owner);
  const { value: before, indent, text: known } = await readObject(file);
  // A problem that is already in the file is reported as such.
  await checkConfig(file, before, owner);
  const candidates = text === undefined ? [undefined] : valuesOf(text);
  const change = (chosen: Json | undefined): JsonObject => withValue(before, path, chosen);
  const { after, value } = await firstValid(candidates, change, target).catch((error: unknown) => {
    throw invalidValue(path, error);
  });
  if (owner === 'project' && value !== undefined) await requireEffect(path, after, userFile);
  if (JSON.stringify(after) === JSON.stringify(before)) return { changed: false, ...shown(value) };
  const isWritten = replaceUnchanged(file, known, `${JSON.stringify(after, null, indent)}\n`);
  return isWritten ? { changed: true, ...shown(value) } : changeSetting(target, name, text);
}

/** Replaces a file, unless another process has changed it since it was read. */
function replaceUnchanged(file: string, known: string | undefined, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return withFileLock(file, () => {
    if (readTextFile(file) !== known) return false;
    replaceFile(file, text);
    return true;
  });
}

function invalidValue(path: readonly string[], error: unknown): unknown {
  const problems = isOkaError(error, 'config.invalid') ? error.data['problems'] : undefined;
  if (!Array.isArray(problems)) return error;
  const message = `Invalid value for ${showName(path)}. ${problems.join('; ')}.`;
  return new OkaError('config.invalid', message, {
    data: { setting: showName(path), problems },
    cause: error,
  });
}

function shown(value: Json | undefined): { readonly value?: Json } {
  return value === undefined ? {} : { value: withoutSecrets(value) };
}

interface FoundSettings {
  readonly value: JsonObject;
  readonly indent: string;
  /** Missing if there is no file. */
  readonly text?: string;
}

async function readObject(file: string): Promise<FoundSettings> {
  const text = readTextFile(file);
  if (text === undefined) return { value: {}, indent: '  ' };
  const data = { file };
  try {
    const value = parseJson(text);
    if (isObject(value)) return { value, indent: /^\{\s*?\n([ \t]+)/.exec(text)?.[1] ?? '  ', text };
  } catch (cause) {
    const message = `${file} is not JSON: ${(cause as Error).message}. Fix it or remove it.`;
    throw new OkaError('config.malformed', message, { data, cause });
  }
  throw new OkaError('config.malformed', `${file} is not a JSON object. Fix it or remove it.`, { data });
}

/** What a text on the command line may mean. */
function valuesOf(text: string): readonly Json[] {
  try {
    const value = parseJson(text) as Json;
    return typeof value === 'string' ? [value] : [value, text];
  } catch {
    return [text];
  }
}

/** The first value with which the file is valid. Throws the problem of the first one if there is none. */
async function firstValid(
  candidates: readonly (Json | undefined)[],
  change: (value: Json | undefined) => JsonObject,
  { file, owner }: SettingsFile,
): Promise<{ readonly after: JsonObject; readonly value: Json | undefined }> {
  let problem: unknown;
  for (const value of candidates) {
    const after = change(value);
    try {
      await checkConfig(file, after, owner);
      return { after, value };
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

function withValue(before: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const [name = '', ...rest] = path;
  const { [name]: old, ...others } = before;
  if (rest.length === 0) {
    if (value === undefined) return others;
    return { ...before, [name]: value };
  }
  const inner = withValue(isObject(old) ? old : {}, rest, value);
  return value === undefined && Object.keys(inner).length === 0 ? others : { ...before, [name]: inner };
}

/** A project can only tighten what the user set: a value that would be overridden is refused. */
async function requireEffect(path: readonly string[], after: JsonObject, userFile: string): Promise<void> {
  if (await hasEffect(path, after, userFile)) return;
  const message = `${showName(path)} would have no effect in the project's configuration: a project can only tighten your own settings. Set it without --project.`;
  throw new OkaError('config.invalid', message, { data: { setting: showName(path) } });
}

/** The value of a setting in a loaded configuration, whose keys are in camelCase and whose times are in milliseconds. */
function at(config: object, path: readonly string[]): unknown {
  let value: unknown = config;
  for (const part of path) {
    if (value === null || typeof value !== 'object') return value;
    const members = value as Readonly<Record<string, unknown>>;
    const camel = part.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const names = [part, camel, `${camel.replace(/(Seconds|Days)$/, '')}Ms`];
    const name = names.find((each) => Object.hasOwn(members, each));
    value = name === undefined ? undefined : members[name];
  }
  return value;
}

function leaves(path: readonly string[], value: Json): readonly Setting[] {
  if (!isObject(value)) return [{ name: showName(path), value: withoutSecrets(value) }];
  return Object.entries(value).flatMap(([name, inner]) => leaves([...path, name], inner));
}

/** Configuration names secrets and does not hold them; one that was written there by mistake is not printed. */
function withoutSecrets(value: Json): Json {
  const redactor = createRedactor();
  const redact = (inner: Json): Json => {
    if (typeof inner === 'string')
      return redactor.text(inner.replace(/(\/\/)[^/@\s]+@/, (_, slashes: string) => `${slashes}[redacted]@`));
    if (Array.isArray(inner)) return inner.map(redact);
    if (!isObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, redact(member)]));
  };
  return redact(value);
}

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Whether a setting of a project changes what holds: a project can only tighten the user's own settings. */
async function hasEffect(path: readonly string[], file: JsonObject, userFile: string): Promise<boolean> {
  const { parseConfig } = await import('./schema.ts');
  const user = (await readConfig(userFile, 'user')) ?? DEFAULT_CONFIG;
  const project = parseConfig(file, 'project');
  const [mine, theirs] = [at(mergeConfigs(user, project), path), at(project, path)];
  return JSON.stringify(mine) === JSON.stringify(theirs);
}

/** The settings of a project that are not in force, by name. */
export async function settingsWithoutEffect(
  { file }: SettingsFile,
  userFile: string,
): Promise<ReadonlySet<string>> {
  const { value } = await readObject(file);
  const without = new Set<string>();
  for (const { name } of leaves([], value))
    if (!(await hasEffect(parseName(name), value, userFile))) without.add(name);
  return without;
}
