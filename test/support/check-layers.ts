import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../checkout.ts';

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly { readonly rule: { readonly name: string }; from: string; to: string }[];
  };
}

/** The files that the layer check saw in a tree, and `rule: from -> to` for each import that it refuses. */
export function checkLayers(folder: string): {
  readonly files: readonly string[];
  readonly refused: readonly string[];
} {
  const command = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const config = join(root, '.dependency-cruiser.cjs');
  const { stdout } = spawnSync(
    process.execPath,
    [command, '--config', config, '--output-type', 'json', 'src', 'web/src'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { modules, summary } = JSON.parse(stdout) as CruiseResult;
  const packageName = (path: string): string => path.replace(/^.*node_modules\/((@[^/]+\/)?[^/]+).*$/, '$1');
  const refused = summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from} -> ${packageName(to)}`,
  );
  return { files: modules.map(({ source }) => source), refused: refused.sort() };
}
