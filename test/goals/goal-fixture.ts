import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type FixtureFiles = Readonly<Record<string, string | Uint8Array>>;

/** Binary content that depends on the seed only. */
function picture(seed: number, bytes: number): Uint8Array {
  const header = [0xff, 0xd8, 0xff, 0xe0];
  return Uint8Array.from({ length: bytes }, (_, i) => header[i] ?? (seed * 31 + i * 7) % 256);
}

const SALES = [
  'date,region,product,units,price',
  '2026-01-05,north,tea,10,2.50',
  '2026-01-09,south,coffee,4,7.00',
  '2026-02-02,north,coffee,7,7.00',
  '2026-02-14,east,tea,20,2.40',
  '2026-03-01,south,tea,15,2.50',
  '2026-03-20,north,cocoa,3,5.25',
];

/** A folder as people have them: code, notes, photos with duplicates, tables, logs, something empty. */
export const FILES: FixtureFiles = {
  'README.md':
    '# Harbour\nTools for the harbour office. See [the guide](docs/guide.md) and [the plan](docs/missing.md).\n\nWrite to office@harbour.example or https://harbour.example/help.\n',
  'notes.txt': 'call the pump supplier on 2026-03-14\nTODO order paint\n',
  'a.txt': 'alpha\nbeta\ngamma\n',
  'b.txt': 'alpha\nbeta changed\ngamma\ndelta\n',
  'empty.txt': '',
  'docs/guide.md':
    '# Guide\n\nThe pump starts at 06:00. The setting colour is blue.\n\n| port | depth |\n|---|---|\n| east | 12 |\n| west | 9 |\n',
  'docs/setup.md': '# Setup\n\n1. Install.\n2. Run the pump test. TODO: say how.\n',
  'notes/monday.md': '# Monday\n\nMet Anna about the pump. Her address is anna@example.org.\n',
  'notes/tuesday.md': '# Tuesday\n\nFIXME wrong date in the invoice of 2026-02-14.\n',
  'notes/ideas.txt': 'a boat race\na new crane\n',
  'src/main.ts':
    "import { tide } from './tide.ts';\n\n// TODO: read the config\nexport const start = (): number => tide(3);\n",
  'src/tide.ts': 'export function tide(hours: number): number {\n  return hours * 2; // FIXME rounding\n}\n',
  'src/tools/report.py':
    'import sys\n\n# TODO print totals\ndef report(rows):\n    return len(rows)\n\nprint(report(sys.argv))\n',
  'src/tools/clean.py': 'def clean(text):\n    return text.strip()\n',
  'src/native/crane.c': '#include <stdio.h>\n\nint main(void) {\n  puts("crane");\n  return 0;\n}\n',
  'photos/IMG_0001.jpg': picture(1, 4_000),
  'photos/IMG_0002.jpg': picture(2, 5_000),
  'photos/IMG_0003.jpg': picture(1, 4_000),
  'photos/summer/IMG_0004.jpg': picture(2, 5_000),
  'photos/summer/beach.png': picture(5, 7_000),
  'data/sales.csv': `${SALES.join('\n')}\n`,
  'data/people.json': `${JSON.stringify(
    [
      { name: 'Anna', age: 41, city: 'Bern' },
      { name: 'Bo', age: 29, city: 'Oslo' },
      { name: 'Chen', age: 35, city: 'Bern' },
    ],
    undefined,
    2,
  )}\n`,
  'data/events.jsonl': '{"kind":"open","at":"2026-01-01"}\n{"kind":"close","at":"2026-01-02"}\n',
  'data/ports.md': '# Ports\n\n| name | depth |\n|---|---|\n| east | 12 |\n| west | 9 |\n',
  'logs/app.log': 'INFO start\nERROR pump failed\nINFO stop\n',
  'logs/old.log': `${'INFO tick\n'.repeat(900)}`,
  'logs/2026/march.log': 'WARN low water\n',
  'old/a.txt': 'alpha\nbeta\ngamma\n',
  'old/notes.txt': 'call nobody\n',
};

/** Folders without files. */
export const FOLDERS = ['archive', 'photos/empty'];

const DAY_MS = 86_400_000;
/** Files older than the others, in days; the others are of today. */
const AGES: Readonly<Record<string, number>> = {
  'old/a.txt': 400,
  'old/notes.txt': 400,
  'logs/old.log': 60,
  'logs/2026/march.log': 40,
  'photos/IMG_0001.jpg': 200,
  'docs/setup.md': 3,
};

/** Fills a folder; `git` also makes it a repository with two commits. */
export function fillFixture(root: string, { git = false }: { readonly git?: boolean } = {}): void {
  for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true });
  for (const [path, content] of Object.entries(FILES)) putFile(root, path, content);
  if (git) makeRepository(root);
}

/** Writes a file of the fixture with its age. */
export function putFile(root: string, path: string, content: string | Uint8Array): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const at = (Date.now() - (AGES[path] ?? 0) * DAY_MS) / 1_000;
  utimesSync(file, at, at);
}

function makeRepository(root: string): void {
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
  };
  writeFileSync(join(root, '.gitignore'), '.oka/\n*.tmp\n');
  git('init', '-q', '-b', 'main');
  git('add', '.gitignore', 'README.md', 'src');
  git('commit', '-q', '-m', 'First tools');
  git('add', '.');
  git('-c', 'user.name=Bo', 'commit', '-q', '-m', 'Notes and data', '--author=Bo <bo@example.org>');
  writeFileSync(join(root, 'src/main.ts'), `${String(FILES['src/main.ts'])}export const changed = 1;\n`);
}
