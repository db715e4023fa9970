import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '../../src/engine/index.ts';
import { programsKit } from './programs-kit.ts';

/** A workspace whose programs work on drafts. */
export function draftsKit(options: Parameters<typeof programsKit>[0] = {}) {
  const kit = programsKit({ drafts: true, ...options });
  const run = (text: string): Promise<RunState> => {
    kit.put('work/run.sh', text);
    return kit.start({ argv: ['sh', 'run.sh'] });
  };
  return { ...kit, run, files: () => snapshot(kit.workspace) };
}

/** Everything below a folder, by path: what it is, its permissions and its content. */
export function snapshot(folder: string, path = ''): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, path)).sort()) {
    const inside = path === '' ? name : `${path}/${name}`;
    if (inside === '.oka') continue;
    const file = join(folder, inside);
    const stat = lstatSync(file);
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isSymbolicLink()) found[inside] = `link ${readlinkSync(file)}`;
    else if (stat.isDirectory()) {
      found[inside] = `folder ${mode}`;
      Object.assign(found, snapshot(folder, inside));
    } else if (stat.isFile()) found[inside] = `file ${mode} ${readFileSync(file, 'latin1')}`;
    else found[inside] = 'special';
  }
  return found;
}
