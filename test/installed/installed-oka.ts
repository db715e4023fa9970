// The product as people get it: packed, installed into an empty folder, and started with an empty home folder.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { root } from '../checkout.ts';
import { Workspace, type WorkspaceOptions } from '../cli/oka-process.ts';
import { kill } from '../support/kill.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PRELOADED = fileURLToPath(new URL('record-loaded.cjs', import.meta.url));
const REGISTRY_IS_OUT = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/;
const FLAGS = ['--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/** A Node that starts the installed product. */
export interface NodeProgram {
  readonly version: string;
  readonly path: string;
}

export const THIS_NODE: NodeProgram = { version: process.version, path: process.execPath };

export interface InstalledOptions extends WorkspaceOptions {
  /** For the config.json of the person's own folder. */
  readonly userConfig?: object;
  readonly env?: NodeJS.ProcessEnv;
  readonly node?: NodeProgram;
}

/** An installation in a temporary folder; whoever makes one removes it. */
export class InstalledOka {
  readonly folder: string;
  readonly #base: string;

  private constructor(base: string) {
    this.#base = base;
    this.folder = join(base, 'app');
  }

  /**
   * Packs this checkout and installs the tarball. `whole` builds and writes type declarations first, as publishing does;
   * otherwise the tarball has the build that is there.
   */
  static install({ whole }: { readonly whole: boolean }): InstalledOka {
    const installed = new InstalledOka(realpathSync(mkdtempSync(join(tmpdir(), 'oka-installed-'))));
    try {
      installed.#pack(whole);
      return installed;
    } catch (error) {
      installed.remove();
      throw error;
    }
  }

  #pack(whole: boolean): void {
    for (const name of ['tarball', 'app', 'home']) mkdirSync(join(this.#base, name));
    const tarball = join(this.#base, 'tarball');
    this.#npm(root, 'pack', '--pack-destination', tarball, ...(whole ? [] : ['--ignore-scripts']));
    writeFileSync(join(this.folder, 'package.json'), '{ "private": true }');
    this.#npm(this.folder, 'install', ...FLAGS, ...readdirSync(tarball).map((name) => join(tarball, name)));
  }

  /** A Node of another version from the npm registry, or the reason why there is none. */
  otherNode(major: number): NodeProgram | string {
    const name = `node-${process.platform}-${process.arch}`;
    const folder = join(this.#base, `node-${major}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    try {
      this.#npm(folder, 'install', ...FLAGS, '--ignore-scripts', `${name}@${major}`);
    } catch (error) {
      return `npm cannot install ${name}@${major}: ${(error as Error).message.split('\n')[0]}`;
    }
    const path = join(folder, 'node_modules', name, 'bin', 'node');
    const { status, stdout, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    return status === 0 ? { version: stdout.trim(), path } : `${name}@${major} does not start: ${stderr}`;
  }

  /** A workspace of a person who has nothing yet, made and trusted with the installed command. */
  async open(options: InstalledOptions = {}): Promise<Workspace> {
    const { node = THIS_NODE } = options;
    const person = tempFolder('oka home-');
    const env: NodeJS.ProcessEnv = {
      PATH: [dirname(node.path), process.env['PATH']].join(delimiter),
      HOME: person,
      OKA_HOME: undefined,
      NODE_OPTIONS: `--require=${JSON.stringify(PRELOADED)}`,
      OKA_TEST_LOADED: this.#report(node),
      ...options.env,
    };
    const command = [join(this.folder, 'node_modules', '.bin', 'oka')];
    const home = join(person, '.config', 'oka');
    const workspace = new Workspace({ ...options, home, program: { command, env } });
    if (options.userConfig !== undefined)
      workspace.putAtHome('config.json', JSON.stringify(options.userConfig));
    expect(await workspace.oka('init', '--trust')).toMatchObject({ exitCode: 0 });
    return workspace;
  }

  /** Installs the same file once more, for all folders, and returns the folder with the `oka` command. */
  installGlobally(): string {
    const prefix = join(this.#base, 'prefix');
    mkdirSync(prefix);
    this.#npm(this.#base, 'install', ...FLAGS, '--global', '--prefix', prefix, this.tarball);
    return join(prefix, 'bin');
  }

  /** The packed file that was installed. */
  get tarball(): string {
    const folder = join(this.#base, 'tarball');
    return join(folder, readdirSync(folder)[0] as string);
  }

  /** Where the package itself is. */
  get packageFolder(): string {
    return join(this.folder, 'node_modules', 'oka');
  }

  /** How much of the disk the installation takes, and the names of its packages. */
  get size(): { readonly bytes: number; readonly packages: readonly string[] } {
    const folder = join(this.folder, 'node_modules');
    const lock = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8')) as { packages: object };
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    return { bytes, packages: Object.keys(lock.packages).map((path) => path.replace('node_modules/', '')) };
  }

  #report(node: NodeProgram): string {
    return join(this.#base, `loaded-${node.version}.txt`);
  }

  /** What the processes on this Node recorded: URLs of loaded files, and the messages of threads. */
  recorded(node: NodeProgram): readonly string[] {
    const report = this.#report(node);
    return existsSync(report) ? readFileSync(report, 'utf8').split('\n') : [];
  }

  /** The .cjs files of the build that no process on this Node has loaded. */
  neverLoaded(node: NodeProgram): readonly string[] {
    const recorded = new Set(this.recorded(node));
    const dist = join(this.packageFolder, 'dist');
    return readdirSync(dist).filter(
      (name) => name.endsWith('.cjs') && !recorded.has(pathToFileURL(join(dist, name)).href),
    );
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Runs npm with an empty home, and the cache and the settings of the person who runs the tests. */
  #npm(cwd: string, ...words: readonly string[]): void {
    const env = {
      PATH: process.env['PATH'],
      HOME: join(this.#base, 'home'),
      npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
      npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'),
      NODE_EXTRA_CA_CERTS: process.env['OKA_TEST_CA_CERTS'],
    };
    const { status, stdout, stderr } = spawnSync('npm', words, {
      ...{ cwd, env },
      shell: process.platform === 'win32',
      encoding: 'utf8',
      maxBuffer: 64 * 1_048_576,
    });
    if (status !== 0) throw new Error(`npm ${words[0]} failed: ${stderr}${stdout}`);
  }
}

/** Why nothing could be installed, where that is because the registry cannot be reached; throws any other error. */
export function registryIsOut(error: unknown): string {
  if (!REGISTRY_IS_OUT.test((error as Error).message)) throw error;
  return 'the npm registry cannot be reached, and the npm cache lacks a package';
}

/** Starts the daemon of a workspace; it ends with the test. */
export async function startDaemon(workspace: Workspace): Promise<number> {
  const { data } = await workspace.answer<{ pid: number }>('up');
  onTestFinished(() => kill(data.pid));
  return data.pid;
}
