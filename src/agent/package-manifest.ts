import { parseJson } from '../kernel/index.ts';
import { plainLine } from './describe-text.ts';

export interface PackageManifest {
  readonly name?: string;
  readonly description?: string;
  readonly scripts: readonly (readonly [string, string])[];
}

/** Reads a package.json; an invalid one is empty. */
export function parseManifest(content: string): PackageManifest {
  let manifest: unknown;
  try {
    manifest = parseJson(content);
  } catch {
    manifest = undefined;
  }
  if (typeof manifest !== 'object' || manifest === null) return { scripts: [] };
  const { name, description, scripts } = manifest as Record<string, unknown>;
  const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
  return {
    ...(typeof name === 'string' ? { name: plainLine(name, 120) } : {}),
    ...(typeof description === 'string' ? { description: plainLine(description, 600) } : {}),
    scripts: entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  };
}
