import { OkaError } from '../../kernel/index.ts';
import type { EnvironmentErrorCode } from './errors.ts';
import type { Ecosystem, InstallRequest, VersionRange } from './types.ts';

const LONGEST_NAME = 128;
const NODE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const PYTHON_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const NODE_VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,64})?$/;
const PYTHON_VERSION = /^\d{1,9}(?:\.\d{1,9}){0,5}(?:(?:a|b|rc)\d{1,9})?(?:\.post\d{1,9})?(?:\.dev\d{1,9})?$/;

/** Refuses whatever is not plainly a package's name and an exact version: flags, addresses, paths, ranges, tags. */
export function checkInstallRequest(request: InstallRequest): void {
  const { ecosystem, package: name, version } = request;
  if (!isPackageName(ecosystem, name)) {
    throw new OkaError<EnvironmentErrorCode>(
      'environment.invalid_package',
      `${JSON.stringify(name)} is not the name of a ${ecosystem} package; give the bare name as its registry spells it, without flags, paths or addresses.`,
      { data: { ecosystem, package: name } },
    );
  }
  if (version === undefined || (ecosystem === 'node' ? NODE_VERSION : PYTHON_VERSION).test(version)) return;
  throw new OkaError<EnvironmentErrorCode>(
    'environment.invalid_package',
    `${JSON.stringify(version)} is not an exact version of ${name}; give one such as 1.2.3, or leave it out.`,
    { data: { ecosystem, package: name, version } },
  );
}

/** Whether a text can be a package's name. */
export function isPackageName(ecosystem: Ecosystem, name: string): boolean {
  if (name.length > LONGEST_NAME || name.includes('..')) return false;
  return (ecosystem === 'node' ? NODE_NAME : PYTHON_NAME).test(name);
}

/** The one spelling under which a package is found: Python's names know neither case nor kinds of dashes. */
export function canonicalPackage(ecosystem: Ecosystem, name: string): string {
  return ecosystem === 'node' ? name : name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** Whether a version lies in a range, by its leading numbers. A pre-release never does. */
export function isWithin(version: string, { from, below }: VersionRange): boolean {
  if (!/^[\d.]+(?:\.post\d+)?$/.test(version)) return false;
  return (
    (from === undefined || compareVersions(version, from) >= 0) &&
    (below === undefined || compareVersions(version, below) < 0)
  );
}

function compareVersions(left: string, right: string): number {
  const [a, b] = [numbersOf(left), numbersOf(right)];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}
