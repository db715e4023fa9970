// Owns: generated workspaces, and a plain loop over the disk that says what is in them.
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentWorkspace } from '../support/agent-workspace.ts';

/** Numbers from a seed (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const FOLDERS = ['src', 'a b', 'ü', '.hidden', 'build', 'x.py', "it's", '[1]', '-rf', 'UPPER', 'deep'];
const ENDINGS = ['py', 'ts', 'md', 'log', 'PY', 'txt', '', 'tar.gz', 'bin'];
const STEMS = ['a', 'b c', 'ö', '.env', 'line\nbreak', '*', '$x', 'same', 'README', '🙂', '`', '|'];
const CONTENTS = [
  '',
  'x',
  'one\ntwo\n',
  '\n\n \n',
  'TODO: this\nnothing\n// TODO that',
  'no end',
  'a\0b',
  'ü\r\nö\r\n',
];

/** Fills a folder with files, empty and deep folders, links, and files that the ignore file names. */
export function fill(root: string, seed: number, files: number): void {
  const next = seeded(seed);
  const pick = <T>(all: readonly T[]): T => all[next(all.length)] as T;
  const folders = ['.'];
  for (let i = 0; i < Math.max(3, files / 20); i++) {
    const folder = join(pick(folders), pick(FOLDERS));
    mkdirSync(join(root, folder), { recursive: true });
    folders.push(folder);
  }
  if (next(4) === 0) {
    const deep = Array.from({ length: 70 }, (_, i) => `d${i}`).join('/');
    mkdirSync(join(root, deep), { recursive: true });
    folders.push(deep);
  }
  for (let i = 0; i < files; i++) {
    const ending = pick(ENDINGS);
    const name = `${pick(STEMS)}${files > 1_000 || next(2) === 0 ? i : ''}${ending === '' ? '' : `.${ending}`}`;
    const path = join(root, pick(folders), name);
    if (!isFolder(path)) writeFileSync(path, pick(CONTENTS).repeat(1 + next(3)));
  }
  if (next(2) === 0) writeFileSync(join(root, '.gitignore'), 'build/\n*.log\n');
  if (next(2) === 0) link('/etc', join(root, 'outside'));
  if (next(2) === 0) link('.', join(root, pick(folders), 'loop'));
}

function link(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch {
    // Something of that name is there.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

interface Seen {
  readonly path: string;
  readonly bytes: number;
  readonly content: Buffer;
}

/** Every file below a folder; without the folders `build` if the ignore file names them. */
export function naiveFiles(root: string, withIgnored = false): { files: Seen[]; folders: string[] } {
  const rules = statSync(join(root, '.gitignore'), { throwIfNoEntry: false }) !== undefined && !withIgnored;
  const seen = { files: [] as Seen[], folders: [] as string[] };
  const todo = [''];
  for (let folder = todo.pop(); folder !== undefined; folder = todo.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !(rules && entry.name === 'build')) {
        todo.push(path);
        seen.folders.push(path);
      }
      if (!entry.isFile()) continue;
      const content = readFileSync(join(root, path));
      seen.files.push({ path, bytes: content.length, content });
    }
  }
  return seen;
}

function linesIn(content: Buffer): number | undefined {
  if (content.includes(0)) return undefined;
  const lines = content.toString('utf8').split('\n');
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Asks questions about a workspace, all or one in three, and compares the answers with the plain loop. */
export async function expectTruth(workspace: AgentWorkspace, third?: number): Promise<void> {
  const questions = questionsAbout(workspace.root).filter(
    (_, i) => third === undefined || i % 3 === third % 3,
  );
  for (const [goal, truth, told = (output: Output) => output] of questions) {
    const run = await workspace.pursue(goal);
    expect({ goal, failure: run.failure }).toEqual({ goal, failure: undefined });
    expect({ goal, said: told(run.output as Output) }).toMatchObject({ goal, said: truth });
  }
}

type Output = Record<string, unknown>;
type Question = [goal: string, truth: unknown, told?: (output: Output) => unknown];

function questionsAbout(root: string): Question[] {
  const { files, folders } = naiveFiles(root);
  const everything = naiveFiles(root, true).files;
  const python = files.filter(({ path }) => /[^/]\.py$/i.test(path));
  const empty = folders.filter((path) => readdirSync(join(root, path)).length === 0);
  const same = new Map<string, number>();
  for (const { content, bytes } of files)
    if (bytes > 0) same.set(content.toString('latin1'), (same.get(content.toString('latin1')) ?? 0) + 1);
  const groups = [...same].filter(([, amount]) => amount > 1);
  const largest = files.map(({ bytes }) => bytes).sort((a, b) => b - a);
  const bytesOf = (some: readonly Seen[]): number => sum(some.map(({ bytes }) => bytes));
  return [
    ['how many files are there', { count: files.length, bytes: bytesOf(files), leftOut: [] }],
    ['how many folders are there', { count: folders.length }],
    ['how many python files are there', { count: python.length }],
    ['how many empty folders are there', { count: empty.length }],
    ['list all python files', { found: python.length, bytes: bytesOf(python) }],
    ['show disk usage', { files: everything.length, bytes: bytesOf(everything) }],
    [
      'count the lines of code',
      { lines: sum(python.map(({ content }) => linesIn(content) ?? 0)) },
      ({ languages }) => ({ lines: (languages as Record<string, number>)['Python'] ?? 0 }),
    ],
    [
      'find the 5 largest files',
      { large: largest.slice(0, 5) },
      ({ large }) => ({ large: (large as { bytes: number }[]).map(({ bytes }) => bytes) }),
    ],
    [
      'find duplicate files',
      {
        groupsInAll: groups.length,
        wastedBytes: sum(groups.map(([content, amount]) => content.length * (amount - 1))),
      },
    ],
  ];
}
