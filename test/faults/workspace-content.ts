import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Watched, type Workspace } from '../cli/oka-process.ts';
import { RUNTIME } from './writer.ts';

const PROGRAM = fileURLToPath(new URL('read-content-program.mjs', import.meta.url));

/** All that Oka reads in a workspace. Items of lists are texts of JSON, so that they can be compared one by one. */
export interface WorkspaceContent {
  readonly events: readonly string[];
  readonly runs: readonly string[];
  readonly facts: readonly string[];
  readonly messages: readonly string[];
  readonly approvals: readonly string[];
  readonly schedules: readonly string[];
  /** Decrypted values of credentials by name; the error code where one cannot be read. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Content of the files in `objects/` by their path in `.oka`. */
  readonly blobs: ReadonlyMap<string, Buffer>;
}

export async function readContent(workspace: Workspace): Promise<WorkspaceContent> {
  const { root, home } = workspace;
  const program = new Watched([process.execPath, PROGRAM, RUNTIME, root, home], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: home, OKA_HOME: home },
  });
  const { exitCode, stdout, stderr } = await program.ended;
  if (exitCode !== 0) throw new Error(`the content cannot be read: ${stderr}`);
  return { ...(JSON.parse(stdout) as Omit<WorkspaceContent, 'blobs'>), blobs: readBlobs(workspace) };
}

function readBlobs(workspace: Workspace): Map<string, Buffer> {
  const oka = workspace.at('.oka');
  return new Map(
    readdirSync(join(oka, 'objects'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /^[0-9a-f]{62}$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(oka, file), readFileSync(file)]),
  );
}
