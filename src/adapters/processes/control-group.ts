// Owns: control groups, which the kernel limits as a whole: below the group of this process, so that its own limits still hold.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isBelow } from '../../disk/index.ts';
import { systemRandom } from '../../kernel/index.ts';
import { type CallLimiter, LAUNCHER, type ResourceLimits } from './resource-limits.ts';

const REMOVALS = 10;
const REMOVAL_PAUSE_MS = 100;
const TIMEOUT_MS = 10_000;
const CONTROLLERS = ['memory', 'pids'] as const;

/** Folders of groups in which one may be made: one for all controllers, or one for each in the first version of control groups. */
type Parents = readonly string[];

let found: Parents | 'none' | undefined;

/** The group of one call, where this process may make one. */
export class ControlGroup implements CallLimiter {
  readonly #folders: readonly string[];

  private constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  static make(limits: ResourceLimits, shell: string): ControlGroup | undefined {
    found ??= candidates().find((parents) => isUsable(parents, limits, shell)) ?? 'none';
    return found === 'none' ? undefined : ControlGroup.below(found, limits);
  }

  /** Undefined if this process may not make a group there. */
  static below(parents: Parents, limits: ResourceLimits): ControlGroup | undefined {
    const name = `oka-${process.pid}-${systemRandom.hex(4)}`;
    const group = new ControlGroup(parents.map((parent) => join(parent, name)));
    try {
      for (const folder of group.#folders) setLimits(folder, limits);
      return group;
    } catch {
      group.remove();
      return undefined;
    }
  }

  enter(shell: string): readonly string[] {
    return this.#folders.flatMap((folder) => [
      ...[shell, '-c', 'echo 0 > "$1" && shift && exec "$@"'],
      ...[LAUNCHER, join(folder, 'cgroup.procs')],
    ]);
  }

  /** The kernel counts the processes that it ended for lack of memory. */
  exceeded(): boolean {
    const files = this.#folders.flatMap((folder) =>
      ['memory.events', 'memory.oom_control'].map((name) => join(folder, name)),
    );
    return files.some((file) => existsSync(file) && /^oom_kill [1-9]/m.test(readFileSync(file, 'utf8')));
  }

  /** Removes the group. The kernel refuses that until the last process, which was killed, is gone. */
  remove(attempts = REMOVALS): void {
    try {
      for (const folder of this.#folders) if (existsSync(folder)) rmdirSync(folder);
    } catch {
      if (attempts > 0) setTimeout(() => this.remove(attempts - 1), REMOVAL_PAUSE_MS).unref();
    }
  }
}

/** Makes a group; fails if one of its limits cannot be set. Without swap, memory is what the limit says. */
function setLimits(folder: string, { memoryMb, processes }: ResourceLimits): void {
  mkdirSync(folder);
  const bytes = memoryMb * 1_024 * 1_024;
  const set = (name: string, value: number): boolean => {
    if (!existsSync(join(folder, name))) return false;
    writeFileSync(join(folder, name), String(value));
    return true;
  };
  const hasMemory = set('memory.max', bytes) || set('memory.limit_in_bytes', bytes);
  const hasProcesses = set('pids.max', processes);
  set('memory.swap.max', 0);
  set('memory.memsw.limit_in_bytes', bytes);
  set('memory.oom.group', 1);
  if (!hasMemory && !hasProcesses) throw new Error(`${folder} has no limits`);
}

/** Whether a program can enter a group there, found by trying it. */
function isUsable(parents: Parents, limits: ResourceLimits, shell: string): boolean {
  const group = ControlGroup.below(parents, limits);
  if (group === undefined) return false;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const [program = shell, ...args] = [...group.enter(shell), shell, '-c', ':'];
  const { status } = spawnSync(program, args, { env: {}, timeout: TIMEOUT_MS });
  group.remove();
  return status === 0;
}

/** Where groups could be made, best first. */
function candidates(): readonly Parents[] {
  try {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n').map(parseMount);
    const groups = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n').map(parseGroup);
    const own = (type: string, controller: string): readonly string[] => {
      const mount = mounts.find(
        (one) => one.type === type && (type === 'cgroup2' || one.options.includes(controller)),
      );
      const path = groups.find(({ controllers }) => controllers.includes(controller))?.path;
      return mount === undefined || path === undefined ? [] : upwards(mount, path);
    };
    const unified = own('cgroup2', '').filter((folder) => {
      const passedOn = readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8').trim().split(' ');
      return CONTROLLERS.every((controller) => passedOn.includes(controller));
    });
    const [memory, pids] = CONTROLLERS.map((controller) => own('cgroup', controller)[0]);
    return [
      ...unified.map((folder) => [folder]),
      ...(memory === undefined || pids === undefined ? [] : [[memory, pids]]),
    ];
  } catch {
    return [];
  }
}

interface Mount {
  readonly type: string;
  readonly root: string;
  readonly point: string;
  readonly options: readonly string[];
}

function parseMount(line: string): Mount {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root = '', point = ''] = before.split(' ');
  const [type = '', , options = ''] = after.split(' ');
  return { type, root, point, options: options.split(',') };
}

function parseGroup(line: string): { readonly controllers: readonly string[]; readonly path: string } {
  const [, controllers = '', ...path] = line.split(':');
  return { controllers: controllers.split(','), path: path.join(':') };
}

/** The folder of a group and those around it, as far as they are mounted. */
function upwards({ root, point }: Mount, path: string): readonly string[] {
  const folders = [isBelow(root, path) ? join(point, relative(root, path)) : point];
  for (let folder = folders[0] as string; folder !== point; folder = dirname(folder))
    folders.push(dirname(folder));
  return folders.filter((folder) => existsSync(folder));
}
