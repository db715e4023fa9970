// Checks the packages that sources import lazily. The bundler turns a lazily imported CommonJS package into a module that
// exports nothing but `default`, so that a name taken from it is undefined, and only in the built product.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DESTRUCTURED = /\{([^{}]*)\}\s*=\s*\(?await import\('([^']+)'\)/g;

/**
 * One sentence for each lazy import of a bundled package whose output lacks a name that the source takes.
 * External packages are not bundled, so Node itself loads them with all their names.
 */
export function lazyImportFaults({ inputs, outputs }, root) {
  const exportsOf = new Map(Object.values(outputs).map((output) => [output.entryPoint, output.exports]));
  const faults = [];
  for (const [source, { imports }] of Object.entries(inputs)) {
    if (!source.startsWith('src/')) continue;
    for (const { kind, path, original, external } of imports) {
      if (kind !== 'dynamic-import' || external || !path.includes('node_modules/')) continue;
      const taken = namesTaken(readFileSync(join(root, source), 'utf8'), original);
      const given = exportsOf.get(path) ?? [];
      const missing = taken.filter((name) => !given.includes(name));
      if (taken.length === 0)
        faults.push(
          `${source} imports ${original} lazily: write it as const { name } = await import('${original}').`,
        );
      if (missing.length > 0)
        faults.push(
          `${source} takes ${missing.join(', ')} from ${original}, which exports only ${given.join(', ')} in the bundle: ` +
            `export the names from a module in src and import that module lazily (see undici-library.ts).`,
        );
    }
  }
  return [...new Set(faults)];
}

function namesTaken(text, wanted) {
  return [...text.matchAll(DESTRUCTURED)]
    .filter(([, , name]) => name === wanted)
    .flatMap(([, names]) => names.split(','))
    .map((name) => name.split(':')[0].trim())
    .filter((name) => name !== '');
}
