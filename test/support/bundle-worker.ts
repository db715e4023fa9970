import { renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { build } from 'esbuild';

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
/** Packages that are more than text, and so cannot be put into one file with the rest. */
const NATIVE = ['@photostructure/sqlite', '@parcel/watcher', 'pg-native'];

/**
 * Makes one file of a program that a test starts as a process; answers with where it is. `whole`: with all packages in it, which
 * takes longer to make and less to start. It is made aside and put in place whole, because several test files do so at once.
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

/** Packages that are written for `require` find it. */
const REQUIRE =
  "import { createRequire as okaCreateRequire } from 'node:module'; const require = okaCreateRequire(import.meta.url);";
