import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { Watched, type Workspace } from '../cli/oka-process.ts';
import type { InstalledOka } from './installed-oka.ts';

/** Runs a program of the folder `scripts` beside the installed package; answers with the JSON that it printed. */
export async function runProgram(
  oka: InstalledOka,
  { environment, root }: Workspace,
  name: string,
  ...args: readonly string[]
): Promise<unknown> {
  const program = join(oka.folder, name);
  copyFileSync(fileURLToPath(new URL(`scripts/${name}`, import.meta.url)), program);
  const { exitCode, stdout, stderr } = await new Watched(['node', program, ...args], {
    cwd: root,
    env: environment,
  }).ended;
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
}
