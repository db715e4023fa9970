import { readFile } from 'node:fs/promises';
import type { Clock } from '../../kernel/index.ts';
import { type ModelProvider, modelError, ScriptedProvider } from '../../models/index.ts';

/** The scripted model of a file; `models.script_invalid` says why there is none. */
export async function openScript(file: string, clock: Clock): Promise<ModelProvider> {
  let script: unknown;
  try {
    script = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    const message = `the script ${file} cannot be read as JSON: ${(cause as Error).message}. Mend it.`;
    throw modelError('models.script_invalid', message, { data: { file }, cause });
  }
  return new ScriptedProvider(script, clock);
}
