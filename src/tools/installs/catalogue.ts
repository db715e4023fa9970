import { NODE_ENTRIES, PYTHON_ENTRIES } from './package-entries.ts';
import { canonicalPackage, checkInstallRequest, isWithin } from './package-name.ts';
import { SYSTEM_ENTRIES } from './system-entries.ts';
import type {
  Ecosystem,
  InstallOrder,
  InstallRequest,
  MissingDependency,
  PackageEntry,
  SystemEntry,
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
