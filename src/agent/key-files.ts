export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
}

const MAX_FILES = 8;
const MAX_OTHER_DOCUMENTS = 3;
const MAX_SOURCE_BYTES = 16_384;
const MANIFESTS =
  'package.json pyproject.toml cargo.toml go.mod pom.xml composer.json gemfile makefile'.split(' ');
const ENTRY_POINT = /^(?:index|main|app|cli|server|mod|lib|__init__)\./;
const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|swift|rb|php|cs|c|h|cc|cpp|hpp|ex|exs|clj|scala|hs|lua|sh|sql|vue|svelte)$/i;
/** Tests and declarations say less than their sources. */
const SECONDARY = /(?:^|[/._-])(?:tests?|spec|fixtures?)(?=[/._-])|\.d\.[cm]?ts$/i;

/** The files that most likely explain a folder, best first. The same list gives the same choice. */
export function chooseKeyFiles(files: readonly ListedFile[], folder: string): string[] {
  const ranked = files
    .filter(({ path, bytes }) => bytes > 0 && !nameOf(path).startsWith('.'))
    .map((file) => ({ path: file.path, depth: depthBelow(file.path, folder), rank: rankOf(file, folder) }))
    .filter(({ rank }) => rank !== undefined)
    .sort(
      (a, b) =>
        RANKS.indexOf(a.rank as Rank) - RANKS.indexOf(b.rank as Rank) ||
        a.depth - b.depth ||
        (a.path < b.path ? -1 : 1),
    );
  let documents = 0;
  return ranked
    .filter(({ rank }) => rank !== 'document' || ++documents <= MAX_OTHER_DOCUMENTS)
    .map(({ path }) => path)
    .slice(0, MAX_FILES);
}

const RANKS = [
  'readme',
  'manifest',
  'document',
  'entry point',
  'source',
  'secondary',
  'manifest below',
] as const;
type Rank = (typeof RANKS)[number];

/** The rank of a file; undefined for a file that is not read. */
function rankOf({ path, bytes }: ListedFile, folder: string): Rank | undefined {
  const name = nameOf(path).toLowerCase();
  const atTop = depthBelow(path, folder) === 1;
  if (/^readme(?:\.|$)/.test(name)) return atTop ? 'readme' : 'document';
  if (MANIFESTS.includes(name)) return atTop ? 'manifest' : 'manifest below';
  if (/\.(?:md|markdown|rst|adoc)$/.test(name)) return 'document';
  if (!SOURCE.test(name) || bytes > MAX_SOURCE_BYTES) return undefined;
  if (SECONDARY.test(path)) return 'secondary';
  return ENTRY_POINT.test(name) ? 'entry point' : 'source';
}

function depthBelow(path: string, folder: string): number {
  return path.split('/').length - (folder === '.' ? 0 : folder.split('/').length);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
