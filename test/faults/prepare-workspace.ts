import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Workspace } from '../cli/oka-process.ts';
import { kill } from '../support/kill.ts';
import { trustFolder } from '../support/trust-folder.ts';
import { campaignWorkspace } from './campaign-workspace.ts';
import { outputOf } from './run-oka.ts';
import { readContent, type WorkspaceContent } from './workspace-content.ts';
import { RUNTIME } from './writer.ts';

const PROGRAM = fileURLToPath(new URL('prepare-program.mjs', import.meta.url));

/** Copies of `.oka` that were made on the way, oldest first; the test puts files of them in the place of newer ones. */
const SNAPSHOTS = ['after-early', 'in-middle', 'after-middle', 'in-late'] as const;

/** A workspace whose last writer was killed, what Oka reads in it, and older copies of its files. */
export interface PreparedWorkspace {
  /** Holds everything that belongs to it; remove it at the end. */
  readonly folder: string;
  readonly home: string;
  readonly truth: WorkspaceContent;
  /** A backup of the workspace as it was before the damage. */
  readonly backup: string;
  /** Files in `objects/` that events refer to, relative to `.oka`. */
  readonly blobs: readonly string[];
  /** How long the mirror was when the log began: lines before are of events that the database file has. */
  readonly mirrorBytesBeforeLog: number;
  /** Older content of a file of `.oka`, where it differs from the present one. */
  stale(path: string): readonly Buffer[];
  /** A copy of the workspace at a place of its own, trusted and ready to be damaged. */
  copyTo(root: string): Workspace;
}

export async function prepareWorkspace(): Promise<PreparedWorkspace> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oka-faults-')));
  const root = join(folder, 'workspace');
  const home = join(folder, 'home');
  mkdirSync(root);
  const workspace = await campaignWorkspace({ root, home });
  const snapshot = (name: (typeof SNAPSHOTS)[number]): void =>
    cpSync(workspace.at('.oka'), join(folder, name), { recursive: true });

  await runPhase(workspace, 'early');
  snapshot('after-early');
  await runPhase(workspace, 'middle', { middle: () => snapshot('in-middle') });
  snapshot('after-middle');
  await runPhase(workspace, 'late', { late: () => snapshot('in-late'), end: kill });
  if (statSync(workspace.at('.oka/oka.db-wal')).size < 100_000) throw new Error('the log holds too little');

  const copyTo = (copy: string): Workspace => {
    cpSync(root, copy, { recursive: true });
    // A copy gets an id of its own, so that it does not share the signed head of the original.
    rmSync(join(copy, '.oka/workspace.json'), { force: true });
    trustFolder(home, copy);
    return new Workspace({ root: copy, home, files: {} });
  };
  const stale = (path: string): readonly Buffer[] => {
    const present = readFileSync(workspace.at(join('.oka', path)));
    return SNAPSHOTS.map((name) => join(folder, name, path))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
      .map((file) => readFileSync(file))
      .filter((bytes) => bytes.length > 0 && !bytes.equals(present));
  };
  const mirrorBytesBeforeLog = statSync(join(folder, 'after-middle', 'run_ledger.jsonl')).size;
  const backup = await createBackup(copyTo(join(folder, 'backed-up')), join(folder, 'backup'));
  const truth = await readContent(copyTo(join(folder, 'truth')));
  const blobs = [...truth.blobs.keys()];
  return { folder, home, truth, backup, blobs, mirrorBytesBeforeLog, stale, copyTo };
}

async function createBackup(workspace: Workspace, file: string): Promise<string> {
  await outputOf(workspace, 'backup', 'create', file);
  return file;
}

type AtPoint = (pid: number) => void;

/** Runs one phase to its end, and calls the given function at each point. */
async function runPhase(
  { root, home }: Workspace,
  phase: string,
  points: Readonly<Record<string, AtPoint>> = {},
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, RUNTIME, root, home, phase], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: home, OKA_HOME: home },
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ended = endOf(child);
  const waiting = new Set(Object.keys(points));
  for await (const point of createInterface(child.stdout)) {
    points[point]?.(child.pid as number);
    waiting.delete(point);
    child.stdin.write('\n');
  }
  const { exitCode, signal } = await ended;
  const isKilled = signal === 'SIGKILL' && 'end' in points;
  if (waiting.size > 0 || (exitCode !== 0 && !isKilled))
    throw new Error(`phase ${phase} ended with ${exitCode ?? signal}: ${complaint}`);
}

function endOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  child.stdin?.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}
