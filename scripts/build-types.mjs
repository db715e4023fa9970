// Writes the type declarations of the package into dist/types: one file for each entry point, and files for what they
// share. Only declarations that an entry point needs are shipped.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = fileURLToPath(new URL('..', import.meta.url));
const entries = JSON.parse(readFileSync(join(root, 'scripts', 'entry-points.json'), 'utf8'));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oka-types-')));
try {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const declared = ['-p', 'tsconfig.types.json', '--outDir', folder];
  const { status } = spawnSync(process.execPath, [compiler, ...declared], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  await bundleDeclarations();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function bundleDeclarations() {
  const warnings = [];
  const input = Object.entries(entries).map(([name, source]) => [name, declarationOf(source)]);
  const bundle = await rollup({
    input: Object.fromEntries(input),
    plugins: [dts()],
    external: (id) => !/^[./]/.test(id) && !id.startsWith(folder),
    onwarn: ({ message }) => void warnings.push(message),
  });
  const types = join(root, 'dist', 'types');
  const written = `${types}-${process.pid}`;
  await bundle.write({
    dir: written,
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared-[hash].d.ts',
  });
  rmSync(types, { recursive: true, force: true });
  renameSync(written, types);
  if (warnings.length === 0) return;
  process.stderr.write(warnings.map((warning) => `✘ ${warning}\n`).join(''));
  process.exitCode = 1;
}

function declarationOf(source) {
  return join(folder, source.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'));
}
