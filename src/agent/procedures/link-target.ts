/** What a link of a document points to. */
export type LinkTarget =
  | { readonly kind: 'file'; readonly path: string; readonly anchor?: string }
  | { readonly kind: 'web'; readonly url: string }
  /** Mail and the like, which cannot be checked. */
  | { readonly kind: 'other' }
  | { readonly kind: 'outside' };

/** Where a link of the document `from` leads; paths are relative to the workspace. */
export function linkTarget(from: string, target: string): LinkTarget {
  if (/^https?:\/\//i.test(target)) return { kind: 'web', url: target.replace(/#.*$/s, '') };
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return { kind: 'other' };
  const hash = target.indexOf('#');
  const beforeHash = hash < 0 ? target : target.slice(0, hash);
  const anchor = hash < 0 ? undefined : decode(target.slice(hash + 1));
  const path = decode(beforeHash.replace(/\?.*$/s, ''));
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : '';
  const place = path === '' ? from : resolve(path.startsWith('/') ? '' : folder, path);
  if (place === undefined) return { kind: 'outside' };
  return { kind: 'file', path: place, ...(anchor ? { anchor } : {}) };
}

/** True for a file whose headings can be linked to. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown|mdown|mkd)$/i.test(path);
}

/** The path from the workspace, `.` for the workspace itself; undefined for what lies outside it. */
function resolve(folder: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/') || '.';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
