import { NODE_ENTRIES } from './node-entries.ts';
import { canonicalPackage, checkInstallRequest, isWithin } from './package-name.ts';
import { PYTHON_ENTRIES } from './python-entries.ts';
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

// Maps, so that no name of a language's own objects is ever found. Of two entries the first one counts.
const byPackage = new Map(PACKAGES.map((entry) => [keyOf(entry.ecosystem, entry.package), entry]));
const byCommand = index<PackageEntry | SystemEntry>(
  [...PACKAGES, ...SYSTEM_ENTRIES],
  (entry) => entry.commands,
);
const byNodeModule = index(NODE_ENTRIES, (entry) => entry.modules);
const byPythonModule = index<PackageEntry | SystemEntry>(
  [...PYTHON_ENTRIES, ...SYSTEM_ENTRIES],
  (entry) => entry.modules,
);
const byLibrary = index(SYSTEM_ENTRIES, (entry) => entry.libraries);

/** The reviewed entry that provides what is missing. Nothing is guessed from names that are not listed. */
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

/** Whether a request asks for a reviewed package in a version that its policy allows. */
export function isReviewed({ ecosystem, package: name, version }: InstallRequest): boolean {
  const entry = byPackage.get(keyOf(ecosystem, name));
  return entry !== undefined && (version === undefined || isWithin(version, entry.versions));
}

/** Checks a request and adds what the catalogue knows of the package. */
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

/** Every reviewed entry. */
export function catalogueEntries(): readonly (PackageEntry | SystemEntry)[] {
  return [...PACKAGES, ...SYSTEM_ENTRIES];
}

/** By the longest part of a dotted name that is listed: `google.protobuf.message` is found as `google.protobuf`. */
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
