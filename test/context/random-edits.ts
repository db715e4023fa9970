import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { treeOf } from '../../src/runtime/context/context.ts';
import { memoryOn } from '../../src/runtime/memory/memory.ts';
import { packFrames } from '../../src/runtime/memory/pack-frames.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { contextBench } from './context-bench.ts';

const FILES = {
  'a.txt': 'alpha',
  'b.txt': 'beta',
  'src/c.txt': 'gamma',
  'src/d.txt': 'delta',
  'src/deep/e.txt': 'epsilon',
  'src/deep/er/f.txt': 'phi',
  'docs/g.txt': 'chi',
};
const FOLDERS = ['', 'src', 'src/deep', 'src/deep/er', 'docs'];
const WRITER = { agent: 'user', by: 'me' };

/** Seeded choices. */
class Chance {
  readonly #random;
  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }
  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }
  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

/** Every file that is in a workspace now. */
function filesIn(root: string, folder = root): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === '.oka') return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(root, path);
    return entry.isFile() ? [relative(root, path)] : [];
  });
}

const EDITS: readonly ((root: string, file: string, chance: Chance) => void)[] = [
  (root, file, chance) => writeFileSync(join(root, file), `written ${chance.below(3)}`),
  (root, file) => writeFileSync(join(root, file), 'x', { flag: 'a' }),
  (root, file) => writeFileSync(join(root, file), ''),
  (root, file) => utimesSync(join(root, file), new Date(), new Date()),
  (root, file, chance) => {
    const to = join(root, chance.of(FOLDERS), `moved-${chance.below(3)}.txt`);
    mkdirSync(dirname(to), { recursive: true });
    if (!existsSync(to)) renameSync(join(root, file), to);
  },
  (root, file) => rmSync(join(root, file)),
  (root, _file, chance) => {
    const path = join(root, chance.of(FOLDERS), `new-${chance.below(3)}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `new ${chance.below(2)}`);
  },
  (root, file) => {
    const before = readFileSync(join(root, file));
    writeFileSync(join(root, file), 'for a moment');
    writeFileSync(join(root, file), before);
  },
  // Keeps size and modification time: only the change time tells.
  (root, file) => {
    const { atime, mtime, size } = statSync(join(root, file));
    writeFileSync(join(root, file), 'z'.repeat(size));
    utimesSync(join(root, file), atime, mtime);
  },
  (root, file, chance) => chmodSync(join(root, file), chance.of([0o644, 0o755])),
  (root, file) => {
    rmSync(join(root, file));
    symlinkSync('elsewhere', join(root, file));
  },
  (root, file) => {
    rmSync(join(root, file));
    mkdirSync(join(root, file));
    writeFileSync(join(root, file, 'inside.txt'), 'a folder now');
  },
  (root, _file, chance) => rmSync(join(root, chance.of(FOLDERS.slice(1))), { recursive: true, force: true }),
  (root, _file, chance) =>
    writeFileSync(join(root, '.gitignore'), chance.of(['', 'a.txt\n', 'docs/\n', 'deep\n'])),
  (root, _file, chance) => {
    const folder = join(root, chance.of(FOLDERS));
    if (existsSync(folder) && lstatSync(folder).isDirectory())
      writeFileSync(join(folder, '.gitignore'), chance.of(['', '*.txt\n', '/er\n']));
  },
];

/**
 * Frames and facts on files and folders, then random edits, some of them with a scan in between. What every face tells of
 * them before a scan must be what it tells after a complete scan.
 */
export async function compareWithScan(seed: number): Promise<void> {
  const chance = new Chance(seed);
  const { root, api, services, clock, ledger } = await contextBench(FILES);
  const tree = treeOf(services);
  const { memory } = memoryOn(
    { ...services, folder: new WorkspaceFolder(root), random: seededRandom(seed), nodes: tree },
    ledger,
  );
  const paths = [...Object.keys(FILES), ...FOLDERS];
  for (const path of paths) {
    clock.advance(1);
    if (chance.below(3) > 0)
      await api.putFrame({ node: path || '.', type: 'note', content: `on ${path}`, ...WRITER });
  }
  if (chance.below(2) > 0)
    await api.synthesize({ node: '.', type: 'note', recursive: true, ...WRITER }).catch(() => undefined);
  for (const path of Object.keys(FILES)) {
    const version = (await tree.current().node(path))?.id as string;
    await memory.addFact({ text: `the fact on ${path}`, restsOn: { path, version } }, 'me');
  }
  const source = packFrames(services);
  const told = async () => {
    const report = await api.report({});
    const heads = await Promise.all(
      paths.map(async (path) => {
        const { head, ...mark } = await api.getHead({ node: path || '.' }).catch(() => ({ head: null }));
        return { path, head: head?.id, ...mark };
      }),
    );
    const listed = await Promise.all(
      paths.map((path) => api.listFrames({ node: path || '.' }).catch(() => 'unknown')),
    );
    const plan = await api.regenerate({ node: '.', recursive: true, dryRun: true, models: false, ...WRITER });
    const facts = await memory.facts({ limit: 100 });
    const packed = await source.candidates({ goal: `look at ${paths.join(' ')}`, vars: {}, limit: 50 });
    return JSON.parse(
      JSON.stringify({ report, heads, listed, plan, facts, packed }, (key, value) =>
        // Known only once a scan has recorded the change; and what the last scan counted.
        ['since', 'root', 'files', 'bytes', 'directories', 'links'].includes(key) ? undefined : value,
      ).replaceAll(/ since \d{4}-[\d:.TZ-]+/g, ''),
    );
  };
  for (let edit = chance.below(6) + 1; edit > 0; edit--) {
    const files = filesIn(root);
    if (files.length === 0) break;
    chance.of(EDITS)(root, chance.of(files), chance);
    clock.advance(1);
    if (chance.below(4) === 0) await api.scan({ force: false, by: 'me' });
  }
  const before = await told();
  await api.scan({ force: true, by: 'me' });
  expect(before, `seed ${seed}`).toEqual(await told());
}
