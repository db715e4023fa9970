import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { type Clock, systemClock } from '../../src/kernel/index.ts';
import { ContextTree } from '../../src/runtime/context/context-tree.ts';
import type { OpenLedger } from '../../src/runtime/index.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface TreeKit {
  readonly workspace: string;
  readonly tree: ContextTree;
  readonly ledger: OpenLedger;
  /** Scans and answers with the root. */
  readonly scan: (options?: { readonly force?: boolean }) => Promise<string>;
  /** Writes files by their paths; a value that begins with `->` makes a link. */
  readonly write: (files: Readonly<Record<string, string>>) => void;
}

/** A tree over a folder of the test's own, with a real ledger. */
export function treeKit(workspace = tempFolder(), clock: Clock = systemClock): TreeKit {
  const ledger = openTestLedger(workspace);
  const tree = new ContextTree({
    folder: new WorkspaceFolder(workspace),
    clock,
    ledger: () => ledger,
    requireTrust: () => undefined,
    writable: async () => ledger,
    warn: () => undefined,
  });
  onTestFinished(async () => {
    tree.close();
    await ledger.close();
  });
  return {
    workspace,
    tree,
    ledger,
    scan: async (options) => (await tree.scan({ force: options?.force ?? false, by: 'test' })).root,
    write: (files) => writeFiles(workspace, files),
  };
}

export function writeFiles(workspace: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const place = join(workspace, path);
    mkdirSync(dirname(place), { recursive: true });
    if (content.startsWith('->')) symlinkSync(content.slice(2), place);
    else writeFileSync(place, content);
  }
}

/** Every file and link of the tree, by path. */
export async function leavesOf(tree: ContextTree, folder = ''): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, kind } of await tree.scanned().children(folder)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (kind === 'directory') found.push(...(await leavesOf(tree, path)));
    else found.push(path);
  }
  return found;
}

/** Writes a file so many folders deep, each reached from the one above it; answers with its path. */
export function writeDeep(workspace: string, depth: number): string {
  const name = 'a-folder-with-a-name';
  let folder = openSync(workspace, 'r');
  for (let at = 0; at < depth; at++) {
    const below = `/proc/self/fd/${folder}/${name}`;
    mkdirSync(below);
    const next = openSync(below, 'r');
    closeSync(folder);
    folder = next;
  }
  writeFileSync(`/proc/self/fd/${folder}/leaf`, 'x\n');
  closeSync(folder);
  return `${Array(depth).fill(name).join('/')}/leaf`;
}
