// npm runs this after `npm install` and `npm ci` in a checkout, for `npm install --global .`, and before it packs. It is in the
// package too, because `npm link oka` runs it there: without sources there is nothing to do.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

if (existsSync(join(root, 'src', 'cli', 'main.ts'))) {
  const { setUpOrExplain } = await import('./set-up-checkout.mjs');
  // A global install of a folder is a link: npm installs no packages into the folder itself.
  const packages = process.env.npm_config_global === 'true' ? 'install' : 'keep';
  await setUpOrExplain(root, { packages });
}
