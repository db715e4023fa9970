import { OkaError } from '../../kernel/index.ts';
import type { Ecosystem, EnvironmentErrorCode, InstallRequest, VersionRange } from './types.ts';

const MAX_NAME_LENGTH = 128;
const NODE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const PYTHON_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const NODE_VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,64})?$/;
const PYTHON_VERSION = /^\d{1,9}(?:\.\d{1,9}){0,5}(?:(?:a|b|rc)\d{1,9})?(?:\.post\d{1,9})?(?:\.dev\d{1,9})?$/;

/** Accepts only a package name and an exact version: no flags, URLs, paths, ranges or tags. */
export function checkInstallRequest(request: InstallRequest): void {
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
