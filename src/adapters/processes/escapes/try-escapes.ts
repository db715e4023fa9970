// Owns: the self-test of the sandbox: real attempts to get out, against a scratch workspace. They work on drafts, as programs do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isOkaError, systemClock, systemRandom } from '../../../kernel/index.ts';
import { applyDraft, type Files, type ProcessResult } from '../../../tools/index.ts';
import type { LauncherOptions } from '../program-launcher.ts';
import { existing } from '../visible-folders.ts';
import { WorkspaceProcesses } from '../workspace-processes.ts';
import { actingParts, traceOf } from './acting-parts.ts';
import { CALL_ATTEMPTS, SCRIPT_ATTEMPTS, type ScriptAttempt } from './attempts.ts';
import { Scene } from './scene.ts';
import { systemCallProgram } from './system-call-program.ts';

export interface EscapeAttempt {
  readonly attempt: string;
  readonly held: boolean;
  readonly detail: string;
}

export interface EscapeOptions extends Pick<LauncherOptions, 'sandbox' | 'openProxy'> {
  readonly okaHome: string;
  /** Opens the files of a workspace. Without it the programs work on the workspace itself. */
  readonly openFiles?: (workspace: string) => Files;
}

/** Small limits, so that reaching them is quick. */
const LIMITS = { memoryMb: 1_024, temporaryMb: 100, processes: 100, fileMb: 64 };
const TIMEOUT_MS = 60_000;
const MAX_DETAIL = 100;
/** EPERM, ENOSYS and EAFNOSUPPORT, which the filter answers. */
const REFUSALS = ['1', '38', '97'];

/** Makes every attempt; one that got through is not held. */
export async function tryEscapes(options: EscapeOptions): Promise<readonly EscapeAttempt[]> {
  const folder = mkdtempSync(join(tmpdir(), 'oka-escapes-'));
  const scene = await Scene.open(folder, options.okaHome);
  try {
    const attempts = new Attempts(scene, options);
    const results: EscapeAttempt[] = [];
    for (const attempt of SCRIPT_ATTEMPTS) {
      if (attempt.inHome !== undefined && !scene.homeIsUsable) continue;
      results.push({ attempt: attempt.name, ...(await attempts.tryScript(attempt)) });
    }
    results.push(...(await attempts.tryCalls()));
    return results;
  } finally {
    scene.close();
    for (const path of ['/usr/oka-escape', '/opt/oka-escape']) rmSync(path, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

type Result = Omit<EscapeAttempt, 'attempt'>;
type Ended = Pick<ProcessResult, 'stdout' | 'stderr' | 'exitCode' | 'signal'>;

class Attempts {
  readonly #scene: Scene;
  readonly #processes: WorkspaceProcesses;
  readonly #files: Files | undefined;
  #parts: ReadonlySet<string>;

  constructor(scene: Scene, { okaHome, openFiles, ...options }: EscapeOptions) {
    const { workspace } = scene.target;
    this.#scene = scene;
    this.#processes = new WorkspaceProcesses({
      ...options,
      workspace,
      toolFolders: [],
      clock: systemClock,
      hidden: [okaHome],
      limits: LIMITS,
      ...(openFiles === undefined ? {} : { drafts: join(okaHome, 'drafts') }),
    });
    this.#files = this.#processes.drafts.kind === 'none' ? undefined : openFiles?.(workspace);
    this.#parts = actingParts(workspace);
  }

  async tryScript({ script, left, network, inHome }: ScriptAttempt): Promise<Result> {
    const scene = this.#scene;
    const { damage, ...ended } = await this.#run((draft) => {
      const text = script({ ...scene.target, draft });
      return inHome === undefined ? [process.execPath, '-e', text] : [scene.putInHome(text, inHome)];
    }, network);
    const found = damage ?? (left && existing([left(scene.target)])[0]);
    const reached = await scene.wasReached();
    const [said] = [ended.stdout, ended.stderr].flatMap((text) => text.trim().split('\n')).filter(Boolean);
    const detail = (found ?? said ?? 'nothing happened').slice(0, MAX_DETAIL);
    return { held: found === undefined && !reached && !ended.stdout.includes('through'), detail };
  }

  /** Makes the system calls one after the other, in one sandbox. */
  async tryCalls(): Promise<readonly EscapeAttempt[]> {
    const programs = CALL_ATTEMPTS.flatMap(({ name, ...call }, index) => {
      const program = systemCallProgram(call);
      return program === undefined ? [] : [{ name, program, path: `./call-${index}` }];
    });
    for (const { program, path } of programs)
      writeFileSync(join(this.#scene.target.workspace, path), program, { mode: 0o755 });
    const script = `for (const path of ${JSON.stringify(programs.map(({ path }) => path))}) { const { status, signal } = require('node:child_process').spawnSync(path); console.log(status ?? signal); }`;
    const { stdout } = await this.#run(() => [process.execPath, '-e', script]);
    const ends = stdout.trim().split('\n');
    return programs.map(({ name }, index) => ({
      attempt: name,
      held: REFUSALS.includes(ends[index] ?? ''),
      detail: `error ${ends[index] ?? 'unknown'}`,
    }));
  }

  /** Runs a program on a draft, applies what it did, and compares the workspace. */
  async #run(
    argv: (draft: string | undefined) => readonly string[],
    network?: ScriptAttempt['network'],
  ): Promise<Ended & { readonly damage?: string | undefined }> {
    const { workspace } = this.#scene.target;
    const files = this.#files;
    const draft = files && (await this.#processes.openDraft(`escapes/${systemRandom.hex(8)}`));
    try {
      const request = { argv: argv(draft && dirname(draft.view)), timeoutMs: TIMEOUT_MS };
      const before = traceOf(workspace);
      const ended = await this.#processes
        .run(
          { ...request, ...(network && { network }), ...(draft && { draft }) },
          new AbortController().signal,
        )
        .catch(endedByLimit);
      if (draft === undefined || files === undefined) return { ...ended, damage: this.#added() };
      const changed = traceOf(workspace) === before ? undefined : 'the workspace itself was changed';
      const notApplied = await applyDraft(draft, files).catch(refusalOf);
      const stderr = [ended.stderr, ...notApplied].join('\n');
      return { ...ended, stderr, damage: changed ?? this.#added() };
    } finally {
      await draft?.discard();
    }
  }

  /** What acts in the workspace and did not before. */
  #added(): string | undefined {
    const known = this.#parts;
    this.#parts = actingParts(this.#scene.target.workspace);
    return [...this.#parts].find((part) => !known.has(part));
  }
}

function endedByLimit(error: unknown): Ended {
  if (!isOkaError(error, 'process.memory_exceeded')) throw error;
  return { stdout: '', stderr: error.message, exitCode: null, signal: null };
}

/** Changes that cannot be applied are held back too. */
function refusalOf(error: unknown): readonly string[] {
  if (!isOkaError(error)) throw error;
  return [error.message];
}
