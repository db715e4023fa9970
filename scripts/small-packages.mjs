import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';

const IS_MODULE = /^\s*(?:import|export)\b/m;

/** Shortens the names inside packages, which are most of the code. Oka's own names stay readable in stack traces. */
export const smallPackages = {
  name: 'small-packages',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const { code } = await transform(source, {
        minify: true,
        // Names at the top level of a module are its own; those of a script may be global.
        ...(IS_MODULE.test(source) ? { format: 'esm' } : {}),
        platform: 'node',
        target: 'node20.19',
        sourcefile: path,
        sourcemap: 'inline',
        sourcesContent: false,
      });
      return { contents: code, loader: 'js' };
    });
  },
};
