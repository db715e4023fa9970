import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { type Goal, looksLikeFile } from '../../language/index.ts';
import { call, failWith } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { listFolder, names, readsByPath } from './folder-listing.ts';
import { code, count, groupBy } from './markdown-text.ts';
import { onePlace, readTask, type Vocabulary } from './read-task.ts';
import { type Report, reportProcedure } from './report-procedure.ts';
import {
  allDocuments,
  documents,
  fetchesOf,
  isMarkdown,
  type LinkParameters,
  MAX_DOCUMENTS,
  surveyLinks,
} from './survey-links.ts';
import { notIncluded } from './survey-step.ts';

const MAX_BYTES = 256 * 1_024;
const MAX_LOOKUPS = 150;
const MAX_ADDRESSES = 50;
/** Status codes of servers that may refuse HEAD requests; GET is tried next. */
const RETRY_WITH_GET: ReadonlySet<unknown> = new Set([403, 404, 405, 501]);
const WEB_WORDS = 'web http https external online remote internet url';
const CHECK_WORDS =
  'check verify validate broken dead test work working valid invalid missing resolve scan nowhere ok fine';
const VOCABULARY: Vocabulary = {
  needs: ['link hyperlink url'],
  also: `broken dead break verify validate test work working valid invalid doc docs documentation readme
    page anchor relative internal local too including include missing resolve point nowhere md ok fine ${WEB_WORDS}`,
};

/** Checks the links of Markdown files: files and anchors always, addresses on the web when asked. */
export const checkLinks: Procedure = reportProcedure<LinkParameters>({
  name: 'check-links',
  description:
    'Checks the links of Markdown files: relative files and anchors, and web addresses when asked.',
  example: 'check the links of the Markdown files in docs',
  triggers: ['check links', 'find broken links', 'verify links', 'validate links'],
  vocabulary: VOCABULARY,
  tools: ['files.list', 'files.read'],
  understand,
  look,
  report: reportLinks,
});

function understand(goal: Goal): { said: string; parameters: LinkParameters } | undefined {
  const task = readTask(goal, VOCABULARY);
  if (!task || task.rest.length > 0) return undefined;
  const named = onePlace(task);
  if (!task.has(CHECK_WORDS) || named === undefined || (looksLikeFile(named) && !isMarkdown(named)))
    return undefined;
  // "the docs" and "the readme" are places when the goal names no other.
  const spoken = task.has('readme')
    ? 'README.md'
    : /\b(?:in|of|under|within|inside) (?:the |my |our )?docs\b|\bdocs (?:folder|directory)\b/i.test(
          goal.text,
        )
      ? 'docs'
      : '.';
  const place = named === '.' ? spoken : named;
  const { said, note } = task;
  if (place === note) return undefined;
  const perhaps = place === '.' ? task.perhaps : undefined;
  return { said, parameters: { place, web: task.has(WEB_WORDS), perhaps, note } };
}

function look(input: PlanInput, parameters: LinkParameters): Decision | undefined {
  const listing = listFolder(input, '.', 'the list of the workspace tells what links can lead to');
  if (listing) return listing;
  if (!isMarkdown(parameters.place) && parameters.place !== '.') {
    const folder = listFolder(input, parameters.place, `the list of ${parameters.place} tells its documents`);
    if (folder) return folder;
  }
  const reads = readsByPath(input);
  const unread = documents(input, parameters).find((path) => !reads.has(path));
  if (unread !== undefined) return readDocument(unread, `the links of ${unread} are to be checked`);
  const named = isMarkdown(parameters.place) ? reads.get(parameters.place) : undefined;
  if (named?.failure) return failWith(named);
  const { lookups, addresses } = surveyLinks(input, parameters);
  const unknown = lookups.slice(0, MAX_LOOKUPS).find(({ path }) => !reads.has(path));
  if (unknown !== undefined)
    return unknown.whole
      ? readDocument(unknown.path, `a link leads to a heading of ${unknown.path}`)
      : call(
          'files.read',
          { path: unknown.path, max_bytes: 1 },
          `a link leads to ${unknown.path}, which no list shows`,
        );
  return parameters.web ? fetchNext(input, addresses) : undefined;
}

function readDocument(path: string, why: string): Decision {
  return call('files.read', { path, max_bytes: MAX_BYTES }, why);
}

/** Requests the next address with HEAD; with GET if the server refuses that. */
function fetchNext(input: PlanInput, addresses: readonly string[]): Decision | undefined {
  if (!input.allTools.some(({ name }) => name === 'http.fetch')) return undefined;
  for (const url of addresses.slice(0, MAX_ADDRESSES)) {
    const made = fetchesOf(input, url);
    const method = made.length === 0 ? 'HEAD' : 'GET';
    const again = made.length === 1 && RETRY_WITH_GET.has(asObject(made[0]?.output)['status']);
    if (made.length === 0 || again)
      return call(
        'http.fetch',
        { url, method, max_bytes: 1_024 },
        `the goal asks whether ${url} can be reached`,
      );
  }
  return undefined;
}

function reportLinks(input: PlanInput, parameters: LinkParameters): Report {
  const { place, web } = parameters;
  const checked = documents(input, parameters);
  const { links, lookups, addresses, outside } = surveyLinks(input, parameters);
  const reads = readsByPath(input);
  const broken = links.filter(({ problem }) => problem !== undefined);
  const unread = checked.filter((path) => reads.get(path)?.failure !== undefined);
  const cut = checked.filter((path) => asObject(reads.get(path)?.output)['truncated'] === true);
  const rest = allDocuments(input, parameters).length - checked.length;
  const tried = addresses.filter((url) => fetchesOf(input, url).length > 0).length;
  return {
    title: `Links of ${place === '.' ? 'this folder' : place}`,
    answer:
      broken.length === 0
        ? `${count(links.length, 'link')} in ${count(checked.length, 'document')}, none found broken.`
        : `${broken.length} of ${count(links.length, 'link')} in ${count(checked.length, 'document')} lead nowhere.`,
    sections: [
      ...[...groupBy(broken, ({ from }) => from)].map(([from, found]) => ({
        title: code(from),
        lines: found.map(({ line, target, problem }) => `- line ${line}: ${code(target)}: ${problem}`),
      })),
      notIncluded([
        ...(outside > 0 ? [`${count(outside, 'link')} to places outside the workspace`] : []),
        ...(addresses.length > tried && !web
          ? [
              `${addresses.length - tried} on the web, which are not fetched because the goal does not ask for them; ask for: check the links, web links too`,
            ]
          : []),
      ]),
    ],
    facts: {
      place,
      documents: checked.length,
      links: links.length,
      broken: broken.slice(0, 50).map(({ from, line, target }) => ({ from, line, target })),
      webTried: tried,
    },
    leftOut: [
      ...(rest > 0 ? [`${count(rest, 'document')} after the first ${MAX_DOCUMENTS}`] : []),
      ...(unread.length > 0 ? [`not read: ${names(unread)}`] : []),
      ...(cut.length > 0 ? [`only the beginning was read: ${names(cut)}`] : []),
      ...(lookups.length > 0 ? [`${count(lookups.length, 'target')} that were not looked up`] : []),
      ...(addresses.length > tried && web
        ? [`${addresses.length - tried} on the web after those that were tried`]
        : []),
    ],
    checks: [
      { check: 'every document was tried', holds: checked.every((path) => reads.has(path)) },
      {
        check: 'every link that is called broken names its line',
        holds: broken.every(({ line }) => line > 0),
      },
    ],
  };
}
