import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Json, OkaError } from '../api/index.ts';
import { parseJsonArgument } from './context.ts';

/** Reads JSON from a file, or from standard input for `-`. */
export async function readInput(source: string): Promise<Json> {
  return parseJsonArgument((await readSource(source)).toString('utf8'), nameOf(source)) as Json;
}

/** Reads UTF-8 text from a file, or from standard input for `-`. */
export async function readText(source: string): Promise<string> {
  const bytes = await readSource(source);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new OkaError('cli.usage', `${nameOf(source)} is not UTF-8 text.`, { cause });
  }
}

/** Reads the lines of a file, or of standard input for `-`. */
export async function readLines(source: string): Promise<string[]> {
  return (await readSource(source)).toString('utf8').split('\n');
}

/** Returns the message, or reads standard input for `-`. */
export async function readMessage(given: string): Promise<string> {
  return given === '-' ? (await buffer(process.stdin)).toString('utf8').replace(/\n$/, '') : given;
}

async function readSource(source: string): Promise<Buffer> {
  try {
    return source === '-' ? await buffer(process.stdin) : await readFile(source);
  } catch (cause) {
    const problem = `Cannot read ${nameOf(source)}: ${(cause as Error).message}.`;
    throw new OkaError('cli.usage', `${problem} Give a file, or - for standard input.`, { cause });
  }
}

function nameOf(source: string): string {
  return source === '-' ? 'standard input' : source;
}
