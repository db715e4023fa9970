// Bundles the script of an exported run into one text, which the export puts into its page.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pastFaces } from './past-faces.mjs';

const ENTRY = 'src/runtime/runs/export/page-check.ts';

/** The text of the script; empty in a checkout without it. */
export async function exportVerifier(root) {
  if (!existsSync(join(root, ENTRY))) return '';
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    plugins: [pastFaces],
  });
  const text = outputFiles[0].text.trim();
  if (/<\/script|<!--/i.test(text)) throw new Error(`${ENTRY}: the script must not contain </script or <!--`);
  return text;
}
