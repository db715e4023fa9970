import { readFile } from 'node:fs/promises';
import type { Clock } from '../../kernel/index.ts';
import { type ModelProvider, modelError, ScriptedProvider } from '../../models/index.ts';

/** Opens the scripted model of a file; fails with `models.script_invalid`. */
export async function openScript(file: string, clock: Clock): Promise<ModelProvider> {
  let script: unknown;
  try {
    script = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    const message = `Cannot read the script ${file} as JSON: ${(cause as Error).message}. Fix it.`;
    throw modelError('models.script_invalid', message, { data: { file }, cause });
  }
  return new ScriptedProvider(script, clock);
}
