// Writes the type declarations of the package into dist/types: one file for each entry point, and files for what they
// share. Only declarations that an entry point needs are shipped, with those of the packages they need, which are not installed.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = fileURLToPath(new URL('..', import.meta.url));
const entries = JSON.parse(readFileSync(join(root, 'scripts', 'entry-points.json'), 'utf8'));
const dist = join(root, 'dist');
mkdirSync(dist, { recursive: true });
// In the checkout, because the declarations of packages are looked for from there.
const folder = mkdtempSync(join(dist, '.types-'));

/** Packages whose types are part of ours. */
const INLINED = [
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/sdk-trace-base',
  '@photostructure/sqlite',
  '@standard-schema/spec',
  'zod',
];
const isInlined = (id) => INLINED.some((name) => id === name || id.startsWith(`${name}/`));

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
    plugins: [dts({ includeExternal: INLINED })],
    external: (id) => !/^[./]/.test(id) && !isInlined(id),
    onwarn: ({ message }) => {
      if (namesOurs(message)) warnings.push(message);
    },
  });
  const types = join(dist, 'types');
  const written = `${types}-${process.pid}`;
  await bundle.write({
    dir: written,
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared-[hash].d.ts',
  });
  warnings.push(...packagesNeeded(written));
  rmSync(types, { recursive: true, force: true });
  renameSync(written, types);
  if (warnings.length === 0) return;
  process.stderr.write(warnings.map((warning) => `✘ ${warning}\n`).join(''));
  process.exitCode = 1;
}

/** A type that an entry point needs and none exports is a fault, unless it is one of zod. */
function namesOurs(message) {
  const [, names] = /private shared type exports with no public re-export: ([^.]+)\./.exec(message) ?? [];
  return names === undefined || names.split(', ').some((name) => !/^(Zod\w+|\$\w+|output)$/.test(name));
}

/** One sentence for each package that the declarations import: it would have to be installed with Oka. */
function packagesNeeded(types) {
  return readdirSync(types).flatMap((name) => {
    const text = readFileSync(join(types, name), 'utf8');
    const imports = text.matchAll(/(?:from |import |import\(|reference types=)['"]([^'"]+)['"]/g);
    return [...imports]
      .filter(([, id]) => !/^(\.|node:)/.test(id))
      .map(([, id]) => `dist/types/${name} needs ${id}, which is not installed: add it to INLINED`);
  });
}

function declarationOf(source) {
  return join(folder, source.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'));
}
