import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

const SOURCE = join(import.meta.dirname, 'failing-disk.c');

export interface DiskFault {
  /** Part of the paths that are affected. */
  readonly path: string;
  readonly errno: keyof typeof constants.errno;
  /** The first call that fails, from 1. */
  readonly from: number;
  /** How many calls fail; all following ones by default. */
  readonly times?: number;
}

/** A library that makes system calls of a process fail; or why there is none. */
export class FailingDisk {
  readonly #library: string;
  readonly #count = join(tempFolder(), 'count');

  private constructor(library: string) {
    this.#library = library;
  }

  static build(): FailingDisk | string {
    if (process.platform !== 'linux') return 'only Linux preloads libraries in this way';
    // The loader splits LD_PRELOAD at spaces, which folders of tests have in their names.
    const folder = mkdtempSync(join(tmpdir(), 'oka-failing-disk-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const library = join(folder, 'failing-disk.so');
    const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'], {
      encoding: 'utf8',
    });
    if (built.error)
      return 'no C compiler (cc) is installed, which builds the library that fails system calls';
    return built.status === 0 ? new FailingDisk(library) : `cc failed: ${built.stderr}`;
  }

  /** The environment of a process whose disk fails this way. */
  failing({ path, errno, from, times = 0 }: DiskFault): NodeJS.ProcessEnv {
    return {
      LD_PRELOAD: this.#library,
      FAIL_PATH: path,
      FAIL_ERRNO: String(constants.errno[errno]),
      FAIL_FROM: String(from),
      FAIL_TIMES: String(times),
    };
  }

  /** The environment of a process whose calls on these paths are counted. */
  counting(path: string): NodeJS.ProcessEnv {
    return { ...this.failing({ path, errno: 'EIO', from: 0 }), FAIL_COUNT: this.#count };
  }

  /** The number of calls of the last counted process. */
  get counted(): number {
    return existsSync(this.#count) ? Number(readFileSync(this.#count, 'utf8')) : 0;
  }
}
