// Owns: the scratch workspace of the self-test, with listeners outside it that notice who reaches them.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { userHome } from '../../../disk/index.ts';
import { systemRandom } from '../../../kernel/index.ts';
import type { ScriptAttempt, Target } from './attempts.ts';

const LEFTOVER_ROUNDS = 100;
const LEFTOVER_PAUSE_MS = 20;
const REPOSITORIES = ['.git', 'sub/.git'];

export class Scene {
  readonly target: Omit<Target, 'draft'>;
  readonly homeIsUsable: boolean;
  readonly #close: () => void;
  #reached = false;

  private constructor(target: Scene['target'], close: () => void) {
    this.target = target;
    this.homeIsUsable = isWritable(target.home);
    this.#close = close;
  }

  static async open(folder: string, okaHome: string): Promise<Scene> {
    const workspace = join(folder, 'workspace');
    const outside = join(folder, 'outside');
    makeFolders(workspace, outside);
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
    const home = userHome();
    scene = new Scene(
      {
        workspace,
        outside,
        home,
        homeFile: join(home, `.oka-escape-${systemRandom.hex(8)}`),
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

  /** Puts a program, or a link to one, into the home beside a secret file; returns its path. */
  putInHome(script: string, kind: NonNullable<ScriptAttempt['inHome']>): string {
    const [path, secret, program] = homeFiles(this.target);
    writeFileSync(secret, 'secret');
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    if (kind === 'program') return program;
    symlinkSync(program, path);
    return path;
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

  close(): void {
    this.#close();
    for (const path of homeFiles(this.target)) rmSync(path, { force: true });
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

function makeFolders(workspace: string, outside: string): void {
  for (const path of ['.oka', ...REPOSITORIES.flatMap((one) => [`${one}/objects`, `${one}/refs`])])
    mkdirSync(join(workspace, path), { recursive: true });
  mkdirSync(join(workspace, '.git', 'hooks'));
  for (const path of REPOSITORIES) {
    writeFileSync(join(workspace, path, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(workspace, path, 'config'), '[core]\n\tbare = false\n');
  }
  writeFileSync(join(workspace, '.oka', 'secret'), 'secret');
  writeFileSync(join(workspace, 'marker'), '');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret');
}

/** What the attempts put into the home. */
function homeFiles({ homeFile }: Pick<Target, 'homeFile'>): readonly [string, string, string] {
  return [homeFile, `${homeFile}-secret`, `${homeFile}-program`];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return existsSync(folder);
  } catch {
    return false;
  }
}
