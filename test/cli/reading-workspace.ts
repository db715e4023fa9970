// A workspace with something of everything in it, the commands that only look at it, and disks that refuse to be written.

import { chmodSync, cpSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished } from 'vitest';
import type { RunListItem } from '../../src/api/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { trustFolder } from '../support/trust-folder.ts';
import { BRIEF, toAnswer, Workspace } from './oka-process.ts';
import { mountReadOnly, mountSmallDisk, withoutPrivileges } from './own-mounts.ts';

const GALLERY = join(import.meta.dirname, '../../gallery');

/** A workspace with runs, an approval, facts of which one is not indexed yet, a scan, a conversation and a graph. */
export async function seededWorkspace(): Promise<Workspace> {
  const workspace = Workspace.trusted();
  cpSync(join(GALLERY, 'nightly-brief.json'), workspace.at('.oka/graphs/nightly-brief.json'));
  await workspace.answer('do', BRIEF);
  await workspace.answer('do', 'write notes.txt');
  await workspace.answer('memory', 'fact', 'add', 'the garden has three beds');
  await workspace.answer('memory', 'fact', 'search', 'garden');
  await workspace.answer('memory', 'fact', 'add', 'the garden path is of gravel');
  await workspace.answer('context', 'scan');
  await workspace.answer('chat', 'new', 'garden');
  await workspace.answer('chat', 'send', 'garden', 'how many beds are there?');
  return workspace;
}

/** Every command that only looks. */
export async function lookingCommands(workspace: Workspace): Promise<readonly (readonly string[])[]> {
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  const run = data.runs[0]?.id as string;
  const approvals = await workspace.answer<{ approvals: { id: string }[] }>('approvals', 'list');
  return [
    ['runs', 'list'],
    ['memory', 'fact', 'search', 'garden'],
    ['ledger', 'tail'],
    ['ledger', 'verify'],
    ['chat', 'view', 'garden'],
    ['runs', 'show', run],
    ['runs', 'explain', run],
    ['runs', 'replay', run],
    ['approvals', 'list'],
    ...approvals.data.approvals.map(({ id }) => ['approvals', 'show', id]),
    ['ledger', 'export'],
    ['ledger', 'stats'],
    ['status'],
    ['memory', 'fact', 'list'],
    ['memory', 'retrieve', 'garden'],
    ['memory', 'pack', 'plan the garden'],
    ['context', 'status'],
    ['context', 'get-node', 'README.md'],
    ['chat', 'list'],
    ['graph', 'list'],
    ['graph', 'show', 'nightly-brief'],
    ['graph', 'validate', 'nightly-brief'],
    ['graph', 'render', 'nightly-brief'],
    ['graph', 'runs', 'nightly-brief'],
    ['grants', 'list'],
    ['policy', 'explain', 'files.write'],
    ['vault', 'list'],
    ['metrics'],
    ['procedures', 'list'],
    ['agent', 'list'],
    ['tools', 'list'],
    ['skills', 'list'],
  ];
}

/** A disk that refuses, with the workspace on it. */
export interface RefusingDisk {
  readonly workspace: Workspace;
  /** The same on a disk that can be written. */
  readonly like: Workspace;
  /** Every name below the workspace, as this process sees it. */
  files(): readonly string[];
}

type Refuse = (seed: Workspace) => Promise<RefusingDisk | string>;

export const REFUSING_DISKS: Readonly<Record<string, Refuse>> = {
  'a read-only file system': async (seed) => {
    const root = copied(seed);
    const disk = await mountReadOnly(root);
    return typeof disk === 'string' ? disk : at(seed, root, disk.through, disk.seenAt);
  },
  'a full disk': async (seed) => {
    const root = tempFolder();
    const disk = await mountSmallDisk(root, 4096);
    if (typeof disk === 'string') return disk;
    cpSync(seed.root, disk.seenAt, { recursive: true });
    fill(disk.seenAt, 0);
    return at(seed, root, disk.through, disk.seenAt);
  },
  'a disk that is full but for 40 kB': async (seed) => {
    const root = tempFolder();
    const disk = await mountSmallDisk(root, 4096);
    if (typeof disk === 'string') return disk;
    cpSync(seed.root, disk.seenAt, { recursive: true });
    fill(disk.seenAt, 40);
    return at(seed, root, disk.through, disk.seenAt);
  },
  'a folder that may not be written': async (seed) => {
    const through = withoutPrivileges();
    if (typeof through === 'string') return through;
    const root = copied(seed);
    lock(root);
    return at(seed, root, through, root);
  },
  'a database that may not be written': async (seed) => {
    const through = withoutPrivileges();
    if (typeof through === 'string') return through;
    const root = copied(seed);
    chmodSync(join(root, '.oka/oka.db'), 0o400);
    return at(seed, root, through, root);
  },
  'a read-only file system with a log that a killed process left': async (seed) => {
    const root = copied(seed);
    const reader = new DatabaseSync(join(root, '.oka/oka.db'));
    // Keeps what is committed from leaving the log.
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM events').get();
    const live = new Workspace({ root, home: seed.home, files: {} });
    trust(live);
    await live.answer('memory', 'fact', 'add', 'the garden gate is green');
    const left = copied(live);
    expect(statSync(join(left, '.oka/oka.db-wal')).size).toBeGreaterThan(0);
    reader.close();
    rmSync(join(left, '.oka/oka.db-shm'));
    const disk = await mountReadOnly(left);
    return typeof disk === 'string' ? disk : at(live, left, disk.through, disk.seenAt);
  },
};

/** What a command answers, without what changes from moment to moment and from folder to folder. */
export function timeless(data: unknown, root: string): unknown {
  const text = JSON.stringify(data).replaceAll(root, '<root>');
  return JSON.parse(text, (key, value) => {
    if (MOVING.has(key)) return undefined;
    // Which of two hits is better may depend on how old they are.
    return key === 'hits' ? value.toSorted(byText) : value;
  });
}

const MOVING: ReadonlySet<string> = new Set([
  'score',
  'parts',
  'recency',
  'degraded',
  'notice',
  'reasons',
  'why',
  'at',
]);

const byText = (one: { text: string }, other: { text: string }): number => (one.text < other.text ? -1 : 1);

/** The answer of a command that only looks, on its own line or in lines. */
export async function look(workspace: Workspace, args: readonly string[]): Promise<unknown> {
  const finished = await workspace.oka(...args, '--json');
  expect({ args, exitCode: finished.exitCode, said: finished.stderr }, finished.stdout).toEqual({
    args,
    exitCode: 0,
    said: '',
  });
  const lines = finished.stdout.trimEnd().split('\n');
  if (lines.length === 1 && finished.stdout.startsWith('{"version":1,')) return toAnswer(finished).data;
  return lines;
}

function at(like: Workspace, root: string, through: readonly string[], seenAt: string): RefusingDisk {
  const workspace = new Workspace({ root, home: like.home, through, stays: true, files: {} });
  trust(workspace);
  // SQLite has two files beside a database for as long as it is open, and `verify` notes how far it came.
  const lasting = (name: string): boolean => !/\.db-(?:wal|shm)$|run\/verified\.json$/.test(name);
  const files = (): readonly string[] =>
    (readdirSync(seenAt, { recursive: true }) as string[]).filter(lasting).sort();
  return { workspace, like, files };
}

/** The disk is another folder than the one that was trusted. */
function trust({ root, home }: Workspace): void {
  trustFolder(home, root);
}

function copied(workspace: Workspace): string {
  const root = tempFolder();
  cpSync(workspace.root, root, { recursive: true });
  return root;
}

/** Takes away the right to write everywhere, for as long as the test lasts. */
function lock(root: string): void {
  const folders = [root, ...entries(root, 'folder')];
  onTestFinished(() => {
    for (const folder of folders) chmodSync(folder, 0o700);
  });
  for (const file of entries(root, 'file')) chmodSync(file, 0o400);
  for (const folder of folders) chmodSync(folder, 0o500);
}

function entries(root: string, kind: 'file' | 'folder'): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Fills the disk of a folder up to some kilobytes. */
function fill(folder: string, leftKilobytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - leftKilobytes * 1024)));
}
