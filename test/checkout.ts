// Folders for tests of the tooling: files in a temporary place, and a small checkout that sets itself up with the
// real scripts and a stand-in for npm, so that no test needs the network.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

type Files = Readonly<Record<string, string>>;

/** The folder of this package. */
export const root = fileURLToPath(new URL('..', import.meta.url));

export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A folder with the given files, gone when the test ends. */
export function folderWith(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oka-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}

/** Makes the installed packages of this checkout visible in another folder. */
export function linkPackages(folder: string): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

/** Copies files or folders of this checkout to the same place in another folder. */
export function copyInto(folder: string, ...paths: readonly string[]): void {
  for (const path of paths) cpSync(join(root, path), join(folder, path), { recursive: true });
}

/** Says what is in `npm-error`, waits while there is `npm-wait`, and then fails if there was an error, else links packages. */
const standInForNpm = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
const error = existsSync('npm-error') ? readFileSync('npm-error') : '';
process.stderr.write(error);
while (existsSync('npm-wait')) await new Promise((resolve) => setTimeout(resolve, 20));
if (error) process.exit(1);
rmSync('node_modules', { recursive: true, force: true });
mkdirSync('node_modules');
for (const name of ['esbuild', 'fast-check', 'vitest'])
  symlinkSync(${JSON.stringify(join(root, 'node_modules'))} + '/' + name, 'node_modules/' + name, 'junction');
`;

/** A command line that prints its arguments and ends with exit code 3. */
const smallCommandLine = `
export async function main(args: readonly string[]): Promise<number> {
  console.log('ran: ' + args.join(' '));
  return 3;
}
`;

/** A checkout of a tiny Oka with the real scripts, plus the given files. */
export function smallCheckout(files: Files = {}): string {
  const folder = folderWith({ 'npm-cli.js': standInForNpm, 'src/cli/main.ts': smallCommandLine, ...files });
  copyInto(folder, 'scripts', 'bin', 'package.json', 'package-lock.json', '.npmrc');
  return folder;
}

/** How often the stand-in for npm was called in a small checkout. */
export function npmCalls(folder: string): number {
  const calls = join(folder, 'npm-calls');
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n').length : 0;
}

interface Run {
  readonly process: ChildProcess;
  readonly ended: Promise<{
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** Starts Node in a folder with an environment free of this test run, and with the stand-in for npm. */
export function runNode(folder: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Run {
  const env = { PATH: process.env['PATH'], npm_execpath: join(folder, 'npm-cli.js'), ...environment };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const ended = Promise.all([exited, text(child.stdout), text(child.stderr)]).then(
    ([exitCode, stdout, stderr]) => ({ exitCode, stdout, stderr }),
  );
  return { process: child, ended };
}
