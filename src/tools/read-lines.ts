import type { ToolContext } from '../engine/index.ts';
import { type Digest, startDigest } from '../kernel/index.ts';
import type { Files } from './ports.ts';

/** Reads a text file of any size line by line and returns its digest; undefined if it turns out not to be text. */
export async function readLines(
  files: Files,
  path: string,
  { signal }: Pick<ToolContext, 'signal'>,
  take: (line: string) => void,
): Promise<Digest | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const running = startDigest();
  let begun: string[] = [];
  const add = (text: string): void => {
    const lines = text.split('\n');
    begun.push(lines[0] as string);
    for (const next of lines.slice(1)) {
      take(begun.join(''));
      begun = [next];
    }
  };
  for await (const piece of files.pieces(path)) {
    signal.throwIfAborted();
    if (piece.includes(0)) return undefined;
    running.update(piece);
    try {
      add(decoder.decode(piece, { stream: true }));
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }
  try {
    add(decoder.decode());
  } catch {
    return undefined;
  }
  const last = begun.join('');
  if (last !== '') take(last);
  return running.end();
}
