// Owns: the self-test of the sandbox: real attempts to get out, against a scratch workspace.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { userHome } from '../../../disk/index.ts';
import { isOkaError, systemClock, systemRandom } from '../../../kernel/index.ts';
import type { LauncherOptions } from '../program-launcher.ts';
import { WorkspaceProcesses } from '../workspace-processes.ts';
import { CALL_ATTEMPTS, SCRIPT_ATTEMPTS, type ScriptAttempt, type Target } from './attempts.ts';
import { systemCallProgram } from './system-call-program.ts';

export interface EscapeAttempt {
  readonly attempt: string;
  readonly held: boolean;
  readonly detail: string;
}

/** Small limits, so that reaching them is quick. */
const LIMITS = { memoryMb: 1_024, temporaryMb: 100, processes: 100, fileMb: 64 };
const TIMEOUT_MS = 60_000;
const LEFTOVER_ROUNDS = 100;
const LEFTOVER_PAUSE_MS = 20;
/** EPERM, ENOSYS and EAFNOSUPPORT, which the filter answers. */
const REFUSALS = [1, 38, 97];

export type EscapeOptions = Pick<LauncherOptions, 'sandbox' | 'openProxy'> & { readonly okaHome: string };

/** Makes every attempt; one that got through is not held. */
export async function tryEscapes({ okaHome, ...options }: EscapeOptions): Promise<readonly EscapeAttempt[]> {
  const folder = mkdtempSync(join(tmpdir(), 'oka-escapes-'));
  const scene = await Scene.open(folder, okaHome);
  const processes = new WorkspaceProcesses({
    ...options,
    workspace: scene.target.workspace,
    toolFolders: [],
    clock: systemClock,
    hidden: [okaHome],
    limits: LIMITS,
  });
  const run = (argv: readonly string[], network?: ScriptAttempt['network']) =>
    processes.run(
      { argv, timeoutMs: TIMEOUT_MS, ...(network === undefined ? {} : { network }) },
      new AbortController().signal,
    );
  try {
    const results: EscapeAttempt[] = [];
    for (const { name, script, left, network } of SCRIPT_ATTEMPTS) {
      const { stdout, stderr } = await run([process.execPath, '-e', script(scene.target)], network).catch(
        (error: unknown) => {
          if (isOkaError(error, 'process.memory_exceeded')) return { stdout: '', stderr: error.message };
          throw error;
        },
      );
      const remains = left === undefined ? undefined : await scene.find(left(scene.target));
      const through = stdout.includes('through') || remains !== undefined || (await scene.wasReached());
      const said = stdout.trim().split('\n')[0] || stderr.trim().split('\n')[0] || 'nothing happened';
      results.push({ attempt: name, held: !through, detail: remains ?? said.slice(0, 100) });
    }
    for (const { name, ...call } of CALL_ATTEMPTS) {
      const program = systemCallProgram(call);
      if (program === undefined) continue;
      writeFileSync(join(scene.target.workspace, 'call'), program, { mode: 0o755 });
      const { exitCode, signal } = await run(['./call']);
      const held = exitCode !== null && REFUSALS.includes(exitCode);
      results.push({ attempt: name, held, detail: `error ${exitCode ?? signal}` });
    }
    return results;
  } finally {
    scene.close();
    for (const path of ['/usr/oka-escape', '/opt/oka-escape']) rmSync(path, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The scratch workspace, with listeners outside it that notice who reaches them. */
class Scene {
  readonly target: Target;
  readonly #close: () => void;
  #reached = false;

  private constructor(target: Target, close: () => void) {
    this.target = target;
    this.#close = close;
  }

  static async open(folder: string, okaHome: string): Promise<Scene> {
    const workspace = join(folder, 'workspace');
    const outside = join(folder, 'outside');
    for (const path of [
      '.git/hooks',
      '.git/objects',
      '.git/refs',
      '.oka',
      'sub/.git/objects',
      'sub/.git/refs',
    ])
      mkdirSync(join(workspace, path), { recursive: true });
    for (const path of ['.git', 'sub/.git']) {
      writeFileSync(join(workspace, path, 'HEAD'), 'ref: refs/heads/main\n');
      writeFileSync(join(workspace, path, 'config'), '[core]\n\tbare = false\n');
    }
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'secret');
    const { createServer } = await import('node:net');
    const { createSocket } = await import('node:dgram');
    const abstractName = `oka-escape-${systemRandom.hex(8)}`;
    const socket = join(outside, 'socket');
    let scene: Scene | undefined;
    const servers = [0, 1, 2].map(() =>
      createServer((client) => {
        if (scene) scene.#reached = true;
        client.on('error', () => undefined).end();
      }).on('error', () => undefined),
    );
    const [tcp, file, abstract] = servers as [(typeof servers)[0], (typeof servers)[0], (typeof servers)[0]];
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => file.listen(socket, resolve));
    await new Promise<void>((resolve) =>
      abstract.once('error', () => resolve()).listen(`\0${abstractName}`, resolve),
    );
    const udp = createSocket('udp4').on('message', () => {
      if (scene) scene.#reached = true;
    });
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
    scene = new Scene(
      {
        workspace,
        outside,
        home: userHome(),
        okaHome,
        pid: process.pid,
        startedAt: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '',
        tcpPort: (tcp.address() as { port: number }).port,
        udpPort: udp.address().port,
        socket,
        abstractName,
        marker: `oka-escape-marker-${systemRandom.hex(8)}`,
      },
      () => {
        for (const server of servers) server.close();
        udp.close();
      },
    );
    return scene;
  }

  /** Whether a listener was reached, or a process was left behind, since the last question. */
  async wasReached(): Promise<boolean> {
    // The kernel needs a moment to end the processes of a namespace.
    for (let round = 0; round < LEFTOVER_ROUNDS && this.#leftovers().length > 0; round += 1)
      await new Promise((resolve) => setTimeout(resolve, LEFTOVER_PAUSE_MS));
    const left = this.#leftovers();
    for (const pid of left) process.kill(pid, 'SIGKILL');
    const reached = this.#reached || left.length > 0;
    this.#reached = false;
    return reached;
  }

  /** The path, if something is there. */
  async find(path: string): Promise<string | undefined> {
    const absolute = isAbsolute(path) ? path : join(this.target.workspace, path);
    return lstat(absolute).then(
      () => absolute,
      () => undefined,
    );
  }

  close(): void {
    this.#close();
  }

  /** Processes of an attempt. The words of a process that has ended are empty. */
  #leftovers(): readonly number[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.target.marker);
      } catch {
        return false;
      }
    });
  }
}
