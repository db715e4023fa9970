import { dirname } from 'node:path';
import { readJsonFile } from '../disk/index.ts';
import { OkaError } from '../kernel/index.ts';
import { type DefaultLimits, mergeConfigs } from './merge-configs.ts';
import { DEFAULT_CONFIG, type OkaConfig } from './types.ts';

/** Configuration files. The project's is omitted unless the user trusts it. */
export interface ConfigFiles {
  readonly user?: string;
  readonly project?: string;
  /** Removes from the project's configuration what may not act. */
  readonly filterProject?: (config: OkaConfig) => OkaConfig;
  /** The limits that hold where the user's file sets none. */
  readonly defaults?: DefaultLimits;
}

/** Loads the effective configuration: the project's overrides the user's, but can only tighten security settings. */
export async function loadConfig({
  user,
  project,
  defaults,
  filterProject,
}: ConfigFiles): Promise<OkaConfig> {
  const own = user === undefined ? undefined : await readConfig(user, 'user');
  const found = project === undefined ? undefined : await readConfig(project, 'project');
  if (found === undefined) return own ?? DEFAULT_CONFIG;
  const theirs = filterProject?.(found) ?? found;
  return mergeConfigs(own ?? DEFAULT_CONFIG, theirs, defaults);
}

/** Reads and validates one file; undefined if there is none. */
export async function readConfig(file: string, from: 'user' | 'project'): Promise<OkaConfig | undefined> {
  // A project's file may come from anybody, so it is never read through a link.
  const value = readJsonFile(file, from === 'project' ? { root: dirname(file) } : {});
  if (value === undefined) return undefined;
  return checkConfig(file, value, from);
}

/** Validates the content of a file. */
export async function checkConfig(
  file: string,
  value: unknown,
  from: 'user' | 'project',
): Promise<OkaConfig> {
  const { parseConfig } = await import('./schema.ts');
  try {
    return parseConfig(value, from);
  } catch (cause) {
    const { issues } = cause as { issues: readonly { path: readonly PropertyKey[]; message: string }[] };
    const problems = issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
    const message = `Invalid configuration in ${file}: ${problems.join('; ')}. Fix it and try again.`;
    throw new OkaError('config.invalid', message, { data: { file, problems }, cause });
  }
}
