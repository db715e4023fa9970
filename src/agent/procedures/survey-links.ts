import type { Evidence, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { callsOf } from '../findings.ts';
import { listingOf, readsByPath } from './folder-listing.ts';
import { isMarkdown, linkTarget } from './link-target.ts';
import { type LinkedDocument, readMarkdownLinks } from './markdown-links.ts';
import { code } from './markdown-text.ts';
import { reasonLine } from './report.ts';
import type { ReportParameters } from './report-procedure.ts';

/** Which documents are checked, and how far. */
export interface LinkParameters extends ReportParameters {
  readonly place: string;
  /** Whether addresses on the web are tried too. */
  readonly web: boolean;
}

/** How many documents are read at most. */
export const MOST_DOCUMENTS = 100;

interface FoundLink {
  readonly from: string;
  readonly line: number;
  readonly target: string;
  /** Why it leads nowhere; undefined for one that is fine or was not checked. */
  readonly problem?: string;
}

interface LinkSurvey {
  readonly links: readonly FoundLink[];
  /** Paths that no list shows, and documents whose headings are not known yet. */
  readonly lookups: readonly { path: string; whole: boolean }[];
  readonly addresses: readonly string[];
  readonly outside: number;
}

/** All that is known of the links so far. */
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
  if (made?.failure) return reasonLine(made.failure);
  const { status } = asObject(made?.output);
  return typeof status === 'number' && status >= 400 ? `the server answers with ${status}` : undefined;
}

/** The documents to check, up to the limit. */
export function documents(input: PlanInput, parameters: LinkParameters): string[] {
  return allDocuments(input, parameters).slice(0, MOST_DOCUMENTS);
}

/** All documents of the place. */
export function allDocuments(input: PlanInput, { place, note }: LinkParameters): string[] {
  if (isMarkdown(place)) return [place];
  return listingOf(input, place, note)
    .files.map(({ path }) => path)
    .filter(isMarkdown);
}

/** The requests that were made for an address. */
export function fetchesOf(input: PlanInput, url: string): Evidence[] {
  return callsOf(input, 'http.fetch').filter((made) => asObject(made.input)['url'] === url);
}
