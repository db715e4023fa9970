/** A file as a listing tells it. */
export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
}

const MOST_FILES = 8;
const MOST_OTHER_DOCUMENTS = 3;
const LARGEST_SOURCE = 16_384;
const MANIFESTS = [
  'package.json',
  'pyproject.toml',
  'cargo.toml',
  'go.mod',
  'pom.xml',
  'composer.json',
  'gemfile',
  'makefile',
];
const ENTRY_POINT = /^(?:index|main|app|cli|server|mod|lib|__init__)\./;
const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|swift|rb|php|cs|c|h|cc|cpp|hpp|ex|exs|clj|scala|hs|lua|sh|sql|vue|svelte)$/i;
const TEST = /(?:^|[/._-])(?:tests?|spec|fixtures?)(?=[/._-])/i;

/** The files that most likely tell what a folder is about, the most telling first. The same list gives the same choice. */
export function chooseTellingFiles(files: readonly ListedFile[], folder: string): string[] {
  const ranked = files
    .filter(({ path, bytes }) => bytes > 0 && !nameOf(path).startsWith('.'))
    .map((file) => ({ path: file.path, rank: rankOf(file), depth: depthBelow(file.path, folder) }))
    .filter(({ rank }) => rank !== undefined)
    .sort(
      (a, b) => (a.rank as number) - (b.rank as number) || a.depth - b.depth || (a.path < b.path ? -1 : 1),
    );
  let documents = 0;
  return ranked
    .filter(({ rank }) => rank !== OTHER_DOCUMENT || ++documents <= MOST_OTHER_DOCUMENTS)
    .map(({ path }) => path)
    .slice(0, MOST_FILES);
}

const OTHER_DOCUMENT = 2;

/** Readmes, then manifests, other documents, entry points, other sources, tests; nothing else is read. */
function rankOf({ path, bytes }: ListedFile): number | undefined {
  const name = nameOf(path).toLowerCase();
  if (/^readme(?:\.|$)/.test(name)) return 0;
  if (MANIFESTS.includes(name)) return 1;
  if (/\.(?:md|markdown|rst|adoc)$/.test(name)) return OTHER_DOCUMENT;
  if (!SOURCE.test(name) || bytes > LARGEST_SOURCE) return undefined;
  if (TEST.test(path)) return 5;
  return ENTRY_POINT.test(name) ? 3 : 4;
}

function depthBelow(path: string, folder: string): number {
  return path.split('/').length - (folder === '.' ? 0 : folder.split('/').length);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
