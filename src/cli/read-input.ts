import { readFile } from 'node:fs/promises';
import { type Json, OkaError } from '../api/index.ts';
import { parseJsonArgument } from './context.ts';

/** Reads JSON from a file, or from standard input for `-`. */
export async function readInput(source: string): Promise<Json> {
  const what = source === '-' ? 'standard input' : source;
  let text: string;
  try {
    text = source === '-' ? await readStandardInput() : await readFile(source, 'utf8');
  } catch (cause) {
    throw new OkaError(
      'cli.usage',
      `Cannot read ${what}: ${(cause as Error).message}. Give a JSON file, or - for standard input.`,
      { cause },
    );
  }
  return parseJsonArgument(text, what) as Json;
}

/** Returns the text, or reads standard input for `-`. */
export async function readText(given: string): Promise<string> {
  return given === '-' ? (await readStandardInput()).replace(/\n$/, '') : given;
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
