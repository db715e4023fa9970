// Owns: what a file gets when the text for it has marks instead of secrets. I1 No mark is ever written where a secret was.
import { requireCapability, type ToolContext } from '../engine/index.ts';
import { asObject, OkaError } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import type { ToolsErrorCode } from './errors.ts';
import type { Files } from './ports.ts';

/**
 * The text for a file, with the secrets that its marks stand for. They are looked up in the file itself, and in the files
 * that the run has read as long as no model has answered in it: a model may not copy a secret that it cannot see.
 * Refuses a text with any other mark.
 */
export async function restoreSecrets(path: string, text: string, context: ToolContext): Promise<string> {
  if (!text.includes('[redacted ')) return text;
  const { redactor } = context;
  const own = redactor.restore(text, await textsOf([path], context));
  if (own.lost.length === 0) return own.text;
  const others = context.modelAnswered ? [] : pathsIn(context);
  const { text: restored, lost } = redactor.restore(text, await textsOf([path, ...others], context));
  const [mark] = lost;
  if (mark === undefined) return restored;
  const message = `The text for "${path}" contains ${mark}, which stands for a secret that is not in that file. Nothing was written. Leave that part unchanged with files.edit, copy the whole file with files.copy, or write the secret yourself.`;
  throw new OkaError<ToolsErrorCode>('files.redacted_write', message, { data: { path, mark } });
}

/** The files that the run has read, and those that its searches found. */
function pathsIn({ evidence = [] }: ToolContext): string[] {
  const paths = evidence
    .filter(({ source, tool }) => source === 'tool' && tool?.startsWith('files.'))
    .flatMap(({ input, output }) => {
      const { matches } = asObject(output);
      const found = Array.isArray(matches) ? matches.map((match) => asObject(match)['path']) : [];
      return [asObject(input)['path'], ...found];
    });
  return [...new Set(paths.filter((path) => typeof path === 'string'))];
}

async function textsOf(paths: readonly string[], context: ToolContext): Promise<string[]> {
  const files = requireCapability<Files>(context, 'files');
  const texts: string[] = [];
  for (const path of paths) {
    if ((await files.stat(path))?.kind !== 'file') continue;
    const { content } = await files.read(path);
    const text = decodeText(content, false);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}
