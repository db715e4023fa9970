import type { Survey, TriedFile } from './brief-survey.ts';
import { firstParagraph, headline, plainLine, titleOf } from './describe-text.ts';
import type { ListedFile } from './key-files.ts';
import { type PackageManifest, parseManifest } from './package-manifest.ts';
import { names } from './procedures/folder-listing.ts';
import { code, count, groupBy, more, sizeText } from './procedures/markdown-text.ts';

const MAX_TODOS = 20;
const MAX_NAMES = 12;
const MAX_FOLDERS = 20;
const MAX_SCRIPTS = 20;

/** The brief as Markdown. The same survey gives the same bytes. */
export function writeBrief(survey: Survey): string {
  const readme = survey.reads.find(({ path, content }) => isReadme(path) && content !== undefined);
  const manifest = readManifest(survey);
  const name =
    titleOf(readme?.content ?? '') ??
    manifest.name ??
    (survey.folder === '.' ? 'this folder' : survey.folder);
  const what = firstParagraph(readme?.content ?? '') ?? manifest.description;
  const sections = [
    `# Brief of ${name}`,
    what ?? (survey.files.length === 0 ? 'The folder is empty.' : 'No readme or manifest says what this is.'),
    section('Layout', layout(survey)),
    section('Key files', survey.reads.filter(wasRead).map(keyFile)),
    section(
      'Scripts',
      manifest.scripts
        .slice(0, MAX_SCRIPTS)
        .map(([script, command]) => `- ${code(script)}: ${code(plainLine(command, 120))}`),
    ),
    section('Open TODOs', todos(survey)),
    section('Not read', notRead(survey)),
  ];
  return `${sections.filter((text) => text !== undefined).join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : `## ${title}\n\n${lines.join('\n')}`;
}

function layout({ files, folder }: Survey): string[] {
  if (files.length === 0) return [];
  const prefix = folder === '.' ? '' : `${folder}/`;
  const groups = groupBy(files, ({ path }) => {
    const below = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    return below.includes('/') ? below.slice(0, below.indexOf('/')) : '';
  });
  const top = groups.get('') ?? [];
  const folders = [...groups].filter(([name]) => name !== '').sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `- ${count(files.length, 'file')}, ${size(files)}: ${kinds(files)}`,
    ...folders
      .slice(0, MAX_FOLDERS)
      .map(
        ([name, inside]) =>
          `- ${code(`${prefix}${name}/`)}: ${count(inside.length, 'file')}, ${size(inside)}: ${kinds(inside)}`,
      ),
    ...more(folders.length - MAX_FOLDERS, 'folder'),
    ...(top.length === 0
      ? []
      : [
          `- at the top: ${names(
            top.map(({ path }) => path),
            MAX_NAMES,
          )}`,
        ]),
  ];
}

function keyFile({ path, content = '' }: TriedFile): string {
  const says =
    /\.(?:md|markdown|rst|adoc)$/i.test(path) || isReadme(path)
      ? (titleOf(content) ?? firstParagraph(content))
      : describeSource(path, content);
  return says === undefined || says === '' ? `- ${code(path)}` : `- ${code(path)}: ${says}`;
}

function describeSource(path: string, content: string): string | undefined {
  if (!path.endsWith('.json')) return headline(content);
  const { name, description } = parseManifest(content);
  return [name, description].filter((text) => text !== undefined).join(', ');
}

function todos({ todos, todosTruncated, searchFailure }: Survey): string[] {
  if (searchFailure !== undefined) return [`- not searched: ${plainLine(searchFailure, 200)}`];
  if (todos.length === 0) return ['- none found'];
  return [
    ...todos
      .slice(0, MAX_TODOS)
      .map(({ path, line, text }) => `- ${code(`${path}:${line}`)} ${plainLine(text, 160)}`),
    ...more(todos.length - MAX_TODOS, 'line', todosTruncated),
  ];
}

function notRead({ files, reads, notEntered, unreadable, depth, truncated }: Survey): string[] {
  const read = reads.filter(wasRead);
  const failed = reads.filter((file) => file.failure !== undefined);
  const unread = files.length - read.length;
  return [
    ...(unread > 0
      ? [`- ${unread} of ${count(files.length, 'file')} ${unread === 1 ? 'was' : 'were'} only listed`]
      : []),
    ...read
      .filter((file) => file.truncated)
      .map(({ path }) => `- ${code(path)}: only its beginning was read`),
    ...failed.map(({ path, failure }) => `- ${code(path)}: ${plainLine(failure as string, 200)}`),
    ...(notEntered.length > 0
      ? [`- deeper than ${depth} ${depth === 1 ? 'level' : 'levels'}: ${names(notEntered, MAX_NAMES)}`]
      : []),
    ...(unreadable.length > 0 ? [`- closed to reading: ${names(unreadable, MAX_NAMES)}`] : []),
    ...(truncated ? ['- the folder holds more than was listed; the counts are of what was listed'] : []),
  ];
}

function readManifest(survey: Survey): PackageManifest {
  const path = survey.folder === '.' ? 'package.json' : `${survey.folder}/package.json`;
  return parseManifest(survey.reads.find((file) => file.path === path)?.content ?? '');
}

function kinds(files: readonly ListedFile[]): string {
  const groups = [
    ...groupBy(files, ({ path }) => /[^/](\.[^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? 'no extension'),
  ];
  const ranked = groups.sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  const shown = ranked
    .slice(0, 6)
    .map(([kind, members]) => `${members.length} ${kind === 'no extension' ? kind : code(kind)}`);
  return [...shown, ...(ranked.length > 6 ? ['others'] : [])].join(', ');
}

function size(files: readonly ListedFile[]): string {
  return sizeText(files.reduce((sum, file) => sum + file.bytes, 0));
}

function wasRead({ content }: TriedFile): boolean {
  return content !== undefined;
}

function isReadme(path: string): boolean {
  return /(?:^|\/)readme(?:\.[^/]*)?$/i.test(path);
}
