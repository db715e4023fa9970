// The digests of the built-in tools' faces, which every run is pinned to. Making them means writing out every schema,
// so it is done once, when Oka is built.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SOURCE = `
import { ToolRegistry } from './src/engine/index.ts';
import { builtInTools } from './src/tools/index.ts';
export const digests = new ToolRegistry(builtInTools()).digests();
`;

/** A map from the name of each built-in tool to its digest; empty where there are no tools. */
export async function toolDigests(root, options) {
  if (!existsSync(join(root, 'src', 'tools', 'index.ts'))) return {};
  const { outputFiles } = await build({
    ...options,
    outdir: undefined,
    splitting: false,
    sourcemap: false,
    stdin: { contents: SOURCE, resolveDir: root, loader: 'ts' },
  });
  const folder = mkdtempSync(join(tmpdir(), 'oka-build-'));
  try {
    const file = join(folder, 'digests.mjs');
    writeFileSync(file, outputFiles[0].contents);
    return (await import(pathToFileURL(file))).digests;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
