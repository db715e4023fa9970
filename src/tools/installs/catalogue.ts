import { OkaError } from '../../kernel/index.ts';
import { NODE_ENTRIES, PYTHON_ENTRIES } from './package-entries.ts';
import { SYSTEM_ENTRIES } from './system-entries.ts';
import type {
  Ecosystem,
  EnvironmentErrorCode,
  InstallOrder,
  InstallRequest,
  MissingDependency,
  PackageEntry,
  SystemEntry,
  VersionRange,
} from './types.ts';

const PACKAGES: readonly PackageEntry[] = [...PYTHON_ENTRIES, ...NODE_ENTRIES];

// Maps, because a name may equal a built-in member of objects. The first of two entries with a name wins.
const byPackage = new Map(PACKAGES.map((entry) => [keyOf(entry.ecosystem, entry.package), entry]));
const byCommand = index([...PACKAGES, ...SYSTEM_ENTRIES], ({ commands }) => commands);
const byNodeModule = index(NODE_ENTRIES, ({ modules }) => modules);
const byPythonModule = index([...PYTHON_ENTRIES, ...SYSTEM_ENTRIES], ({ modules }) => modules);
const byLibrary = index(SYSTEM_ENTRIES, ({ libraries }) => libraries);

/** The reviewed entry that provides a missing dependency. Unlisted names are never guessed. */
export function findEntry(missing: MissingDependency): PackageEntry | SystemEntry | undefined {
  const { kind, name } = missing;
  switch (kind) {
    case 'command':
      return byCommand.get(name);
    case 'node_module':
      return byNodeModule.get(name);
    case 'node_package':
      return byPackage.get(keyOf('node', name));
    case 'python_package':
      return byPackage.get(keyOf('python', name));
    case 'python_module':
      return findModule(name);
    case 'shared_library':
      return byLibrary.get(name);
  }
}

/** Whether the package is reviewed, and the version is in its allowed range. */
export function isReviewed({ ecosystem, package: name, version }: InstallRequest): boolean {
  const entry = byPackage.get(keyOf(ecosystem, name));
  return entry !== undefined && (version === undefined || isWithin(version, entry.versions));
}

/** Checks a request and adds the catalogue's versions and commands. */
export function orderInstall(request: InstallRequest): InstallOrder {
  checkInstallRequest(request);
  const entry = byPackage.get(keyOf(request.ecosystem, request.package));
  return {
    ...request,
    package: canonicalPackage(request.ecosystem, request.package),
    versions: entry?.versions ?? {},
    commands: entry?.commands ?? [],
  };
}

/** Finds the longest listed prefix of a dotted name: `google.protobuf.message` matches `google.protobuf`. */
function findModule(name: string): PackageEntry | SystemEntry | undefined {
  for (let part = name; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('.')))) {
    const entry = byPythonModule.get(part);
    if (entry) return entry;
  }
  return undefined;
}

function keyOf(ecosystem: Ecosystem, name: string): string {
  return `${ecosystem} ${canonicalPackage(ecosystem, name)}`;
}

function index<Entry>(
  entries: readonly Entry[],
  namesOf: (entry: Entry) => readonly string[],
): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  for (const entry of entries)
    for (const name of namesOf(entry)) if (!found.has(name)) found.set(name, entry);
  return found;
}

const MAX_NAME_LENGTH = 128;
const NODE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const PYTHON_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const NODE_VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,64})?$/;
const PYTHON_VERSION = /^\d{1,9}(?:\.\d{1,9}){0,5}(?:(?:a|b|rc)\d{1,9})?(?:\.post\d{1,9})?(?:\.dev\d{1,9})?$/;

/** Accepts only a package name and an exact version: no flags, URLs, paths, ranges or tags. */
function checkInstallRequest(request: InstallRequest): void {
  const { ecosystem, package: name, version } = request;
  if (!isPackageName(ecosystem, name)) {
    throw new OkaError<EnvironmentErrorCode>(
      'environment.invalid_package',
      `${JSON.stringify(name)} is not a ${ecosystem} package name. Give the name as its registry spells it, without flags, paths or URLs.`,
      { data: { ecosystem, package: name } },
    );
  }
  if (version === undefined || (ecosystem === 'node' ? NODE_VERSION : PYTHON_VERSION).test(version)) return;
  throw new OkaError<EnvironmentErrorCode>(
    'environment.invalid_package',
    `${JSON.stringify(version)} is not an exact version of ${name}. Give a version like 1.2.3, or omit it.`,
    { data: { ecosystem, package: name, version } },
  );
}

export function isPackageName(ecosystem: Ecosystem, name: string): boolean {
  if (name.length > MAX_NAME_LENGTH || name.includes('..')) return false;
  return (ecosystem === 'node' ? NODE_NAME : PYTHON_NAME).test(name);
}

/** The canonical spelling. Python names ignore case and treat -, _ and . alike. */
export function canonicalPackage(ecosystem: Ecosystem, name: string): string {
  return ecosystem === 'node' ? name : name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** Whether a version is in a range, by its leading numbers. A pre-release never is. */
export function isWithin(version: string, { from, below }: VersionRange): boolean {
  if (!/^[\d.]+(?:\.post\d+)?$/.test(version)) return false;
  return (
    (from === undefined || compareVersions(version, from) >= 0) &&
    (below === undefined || compareVersions(version, below) < 0)
  );
}

function compareVersions(left: string, right: string): number {
  const [a, b] = [numbersOf(left), numbersOf(right)];
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, i) => (a[i] ?? 0) - (b[i] ?? 0)).find((part) => part !== 0) ?? 0;
}

function numbersOf(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}
