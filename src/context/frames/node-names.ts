// Owns: the paths that a name may mean. Names come from people, from agents, and from what Oka printed itself.

/** `\\` and `\xNN` are part of paths as the tree writes them, so they stay. */
const ESCAPE = /\\(?:(\\|x[0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|(.))/giu;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const MAX_CODE_POINT = 0x10ffff;

/**
 * The paths that a name may mean, the most likely first: as given, with escapes as Oka prints them, with single backslashes as
 * the file system has them, in quotes, and in the other Unicode forms. Empty if the name leads out of the workspace.
 */
export function pathsFor(name: string, folder: string | undefined): readonly string[] {
  const path = normalPath(name, folder);
  if (path === undefined) return [];
  const inner = /^(["'])(.+)\1$/su.exec(name)?.[2];
  const quoted = inner === undefined ? undefined : normalPath(inner, folder);
  const plain = [path, ...(quoted === undefined ? [] : [quoted])];
  const forms = plain.flatMap((one) => [one, withoutEscapes(one), one.replaceAll('\\', '\\\\')]);
  return [...new Set(forms.flatMap((one) => [one, one.normalize('NFC'), one.normalize('NFD')]))];
}

/** Normalises a path; undefined if it leads out of the workspace. An absolute path may begin with the workspace's `folder`. */
export function normalPath(name: string, folder?: string): string | undefined {
  const inside = name.startsWith('/') ? withoutFolder(name, folder) : name;
  if (inside === undefined) return undefined;
  const parts: string[] = [];
  for (const part of inside.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

function withoutFolder(name: string, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const root = folder.endsWith('/') ? folder : `${folder}/`;
  return `${name}/`.startsWith(root) ? name.slice(root.length) : undefined;
}

function withoutEscapes(path: string): string {
  return path.replaceAll(ESCAPE, (whole, kept?: string, long?: string, short?: string, other?: string) => {
    if (kept !== undefined) return whole;
    const hex = long ?? short;
    if (hex === undefined) return CONTROLS[other as string] ?? (other as string);
    const code = Number.parseInt(hex, 16);
    return code > MAX_CODE_POINT ? whole : String.fromCodePoint(code);
  });
}
