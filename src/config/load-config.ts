import { readFile } from 'node:fs/promises';
import { OkaError } from '../kernel/index.ts';
import { DEFAULT_CONFIG, type OkaConfig } from './types.ts';

/** The workspace's configuration, or the defaults where it has none. The caller has made sure that it is trusted. */
export async function loadConfig(file: string): Promise<OkaConfig> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return DEFAULT_CONFIG;
    throw new OkaError('config.unreadable', `${file} cannot be read; check its permissions.`, {
      data: { file },
      cause: error,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new OkaError(
      'config.malformed',
      `${file} is not JSON: ${(cause as Error).message}. Mend it or remove it.`,
      {
        data: { file },
        cause,
      },
    );
  }
  const { parseConfig } = await import('./schema.ts');
  try {
    return parseConfig(value, 'project');
  } catch (cause) {
    const { issues } = cause as { issues: readonly { path: readonly PropertyKey[]; message: string }[] };
    const problems = issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
    throw new OkaError(
      'config.invalid',
      `${file} does not fit: ${problems.join('; ')}. Mend it and try again.`,
      {
        data: { file, problems },
        cause,
      },
    );
  }
}
