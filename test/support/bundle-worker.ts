import { renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { build } from 'esbuild';

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
/** Packages with binary files, which cannot be bundled into one file. */
const NATIVE = ['@photostructure/sqlite', '@parcel/watcher', 'pg-native'];

/**
 * Bundles a program that a test starts as a process; returns the path. `whole` includes all packages, which takes longer to
 * bundle and less to start. The file is moved into place when complete, because several test files bundle at the same time.
 */
export async function bundleWorker(
  program: string,
  { whole = false }: { readonly whole?: boolean } = {},
): Promise<string> {
  const name = `${basename(dirname(program))}-${basename(program, '.ts')}`;
  const outfile = join(CACHE, `${name}.mjs`);
  const part = join(CACHE, `${name}.${process.pid}.${threadId}.mjs`);
  await build({
    entryPoints: [program],
    outfile: part,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    ...(whole
      ? { external: NATIVE, mainFields: ['module', 'main'], banner: { js: REQUIRE } }
      : { packages: 'external' as const }),
    define: { __OKA_VERSION__: '"test"' },
    logLevel: 'error',
  });
  renameSync(part, outfile);
  return outfile;
}

/** Provides `require` for CommonJS packages. */
const REQUIRE =
  "import { createRequire as okaCreateRequire } from 'node:module'; const require = okaCreateRequire(import.meta.url);";
