// Owns: reading and following the logs of a workspace's background processes.
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A line of a log. `at` is missing for text that is no log entry, such as a stack trace. */
export interface LogEntry {
  /** The process: `daemon`, `scheduler`, or the agent as `agent-<name>`. */
  readonly from: string;
  readonly at?: string;
  readonly level?: string;
  readonly what: string;
  readonly more: Readonly<Record<string, unknown>>;
}

const POLL_MS = 250;
const OLD = '.old';

function logFolder(workspace: string): string {
  return join(workspace, '.oka', 'run');
}

/** The log files of a workspace by the name of their process. */
function logNames(workspace: string): readonly string[] {
  const folder = logFolder(workspace);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .sort();
}

/** All entries, oldest first, of the rotated and the current logs. Text without a time stays behind the entry above it. */
export function readLogs(workspace: string): readonly LogEntry[] {
  const entries = logNames(workspace).flatMap((name) => {
    const file = join(logFolder(workspace), name);
    const text = readFrom(`${file}${OLD}`, 0).text + readFrom(file, 0).text;
    return withTimes(linesOf(text).map((line) => entryOf(name, line)));
  });
  return entries.sort((a, b) => a.time.localeCompare(b.time)).map(({ entry }) => entry);
}

function withTimes(entries: readonly LogEntry[]): { readonly time: string; readonly entry: LogEntry }[] {
  let time = '';
  return entries.map((entry) => {
    time = entry.at ?? time;
    return { time, entry };
  });
}

/** Yields entries that are added from now on, also after a rotation, a restart, and of processes that start later. */
export async function* followLogs(workspace: string, signal: AbortSignal): AsyncGenerator<LogEntry> {
  const followed = new Map<string, FollowedFile>();
  for (const name of logNames(workspace)) followed.set(name, FollowedFile.atEnd(fileOf(workspace, name)));
  while (!signal.aborted) {
    for (const name of logNames(workspace)) {
      const file = followed.get(name) ?? new FollowedFile(fileOf(workspace, name));
      followed.set(name, file);
      for (const line of file.newLines()) yield entryOf(name, line);
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

function fileOf(workspace: string, name: string): string {
  return join(logFolder(workspace), name);
}

/** A file that grows, and that is truncated after a copy of it is kept as `<file>.old`. */
export class FollowedFile {
  readonly #file: string;
  #end = 0;
  #partial = '';

  constructor(file: string) {
    this.#file = file;
  }

  static atEnd(file: string): FollowedFile {
    const followed = new FollowedFile(file);
    followed.#end = readFrom(file, 0).end;
    return followed;
  }

  newLines(): readonly string[] {
    const size = lstatSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    let rest = '';
    if (size < this.#end) {
      rest = readFrom(`${this.#file}${OLD}`, this.#end).text;
      this.#end = 0;
    }
    const { text, end } = readFrom(this.#file, this.#end);
    this.#end = end;
    const lines = `${this.#partial}${rest}${text}`.split('\n');
    this.#partial = lines.pop() ?? '';
    return lines.filter((line) => line !== '');
  }
}

/** Reads from an offset to the end. A missing file or a link reads as empty. */
function readFrom(file: string, start: number): { readonly text: string; readonly end: number } {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return { text: '', end: start };
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.size <= start) return { text: '', end: start };
    const bytes = Buffer.alloc(found.size - start);
    const count = readSync(descriptor, bytes, 0, bytes.length, start);
    return { text: bytes.toString('utf8', 0, count), end: start + count };
  } finally {
    closeSync(descriptor);
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** A line as the daemon writes it: by default with `at` and `what`, for log collectors with `time`, `message` and `fields`. */
interface Entry {
  readonly [field: string]: unknown;
  readonly fields?: Readonly<Record<string, unknown>>;
}

function entryOf(name: string, line: string): LogEntry {
  const from = name.slice(0, -'.log'.length);
  try {
    const { time, at = time, message, what = message, level, fields, ...rest } = JSON.parse(line) as Entry;
    const more = { ...rest, ...fields };
    if (typeof at === 'string' && typeof what === 'string')
      return { from, at, level: String(level ?? 'info'), what, more };
  } catch {
    // The output of a process that failed is text.
  }
  return { from, what: line, more: {} };
}
