import type { Evidence, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { plainLine } from '../describe-text.ts';
import { callsOf } from '../findings.ts';
import { listingOf, readsByPath } from './folder-listing.ts';
import { type LinkedDocument, readMarkdownLinks } from './markdown-links.ts';
import { code } from './markdown-text.ts';
import type { ReportParameters } from './report-procedure.ts';

export interface LinkParameters extends ReportParameters {
  readonly place: string;
  /** Whether to check web addresses too. */
  readonly web: boolean;
}

export const MAX_DOCUMENTS = 100;

interface FoundLink {
  readonly from: string;
  readonly line: number;
  readonly target: string;
  /** Why it is broken; undefined for a link that works or was not checked. */
  readonly problem?: string;
}

interface LinkSurvey {
  readonly links: readonly FoundLink[];
  /** Paths in no listing, and documents with unknown headings. */
  readonly lookups: readonly { path: string; whole: boolean }[];
  readonly addresses: readonly string[];
  readonly outside: number;
}

/** The links found so far, with their problems. */
export function surveyLinks(input: PlanInput, parameters: LinkParameters): LinkSurvey {
  const { files, folders } = listingOf(input, '.');
  const listed = new Set([...files.map(({ path }) => path), ...folders, '.']);
  const reads = readsByPath(input);
  const parsed = new Map<string, LinkedDocument | undefined>();
  const documentAt = (path: string): LinkedDocument | undefined => {
    if (!parsed.has(path)) parsed.set(path, parse(reads.get(path)));
    return parsed.get(path);
  };
  const lookups = new Map<string, boolean>();
  const addresses = new Set<string>();
  let outside = 0;
  const links: FoundLink[] = [];
  for (const from of documents(input, parameters)) {
    for (const { target, line } of documentAt(from)?.links ?? []) {
      const to = linkTarget(from, target);
      let problem: string | undefined;
      if (to.kind === 'outside') outside += 1;
      else if (to.kind === 'web') addresses.add(to.url);
      else if (to.kind === 'file') {
        const wantsHeading = to.anchor !== undefined && isMarkdown(to.path);
        if (!reads.has(to.path) && (wantsHeading || !listed.has(to.path)))
          lookups.set(to.path, wantsHeading || lookups.get(to.path) === true);
        problem = fileProblem(to, listed, reads.get(to.path), wantsHeading ? documentAt(to.path) : undefined);
      }
      if (to.kind === 'web' && parameters.web) problem = webProblem(fetchesOf(input, to.url).at(-1));
      links.push({ from, line, target, ...(problem === undefined ? {} : { problem }) });
    }
  }
  const wanted = [...lookups].map(([path, whole]) => ({ path, whole }));
  return { links, lookups: wanted, addresses: [...addresses], outside };
}

function parse(read: Evidence | undefined): LinkedDocument | undefined {
  const { content } = asObject(read?.output);
  return typeof content === 'string' ? readMarkdownLinks(content) : undefined;
}

function fileProblem(
  { path, anchor }: { path: string; anchor?: string },
  listed: ReadonlySet<string>,
  read: Evidence | undefined,
  document: LinkedDocument | undefined,
): string | undefined {
  if (!listed.has(path) && read?.failure?.code === 'files.not_found') return `there is no ${code(path)}`;
  if (anchor === undefined || document === undefined || asObject(read?.output)['truncated'] === true)
    return undefined;
  const there =
    document.anchors.has(anchor) || document.anchors.has(anchor.toLowerCase()) || anchor === 'top';
  return there ? undefined : `${code(path)} has no heading ${code(`#${anchor}`)}`;
}

function webProblem(made: Evidence | undefined): string | undefined {
  if (made?.failure) return plainLine(made.failure.message, 200);
  const { status } = asObject(made?.output);
  return typeof status === 'number' && status >= 400 ? `the server answers with ${status}` : undefined;
}

/** The documents to check, up to the limit. */
export function documents(input: PlanInput, parameters: LinkParameters): string[] {
  return allDocuments(input, parameters).slice(0, MAX_DOCUMENTS);
}

export function allDocuments(input: PlanInput, { place, note }: LinkParameters): string[] {
  if (isMarkdown(place)) return [place];
  return listingOf(input, place, note)
    .files.map(({ path }) => path)
    .filter(isMarkdown);
}

/** The requests for an address. */
export function fetchesOf(input: PlanInput, url: string): Evidence[] {
  return callsOf(input, 'http.fetch').filter((made) => asObject(made.input)['url'] === url);
}

/** The target of a link. */
type LinkTarget =
  | { readonly kind: 'file'; readonly path: string; readonly anchor?: string }
  | { readonly kind: 'web'; readonly url: string }
  /** Mail and the like, which cannot be checked. */
  | { readonly kind: 'other' }
  | { readonly kind: 'outside' };

/** The target of a link in the document `from`; paths are relative to the workspace. */
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

/** The path from the workspace, `.` for the workspace itself; undefined outside it. */
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
