import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './checkout.ts';

const FENCED = /^```.*?^```$/gms;
const LINK = /\]\(([^)#\s]+)(?:#([^)]+))?\)/g;
const NAMED_PAGE = /docs\/(?:guides|formats|adr)\/[\w-]+\.md/g;

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));
}

const text = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The names under which the headings of a page can be linked to. */
function anchorsOf(page: string): readonly string[] {
  return Array.from(
    text(page)
      .replaceAll(FENCED, '')
      .matchAll(/^#+ (.+)$/gm),
    ([, heading]) =>
      (heading as string)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
  );
}

function brokenLinksOf(page: string): readonly string[] {
  const links = [...text(page).replaceAll(FENCED, '').matchAll(LINK)];
  return links
    .filter(([, target]) => !/^[a-z]+:/.test(target as string))
    .filter(([, target, anchor]) => {
      const path = join(dirname(page), target as string);
      if (!existsSync(join(root, path))) return true;
      return anchor !== undefined && !anchorsOf(path).includes(anchor);
    })
    .map(([link]) => `${page}: ${link}`);
}

const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
  .concat(filesIn('docs', '.md'), filesIn('gallery', '.md'))
  .sort();

test('every link in the documentation resolves', () => {
  expect(PAGES.length).toBeGreaterThan(10);
  expect(PAGES.flatMap(brokenLinksOf)).toEqual([]);
});

test('every page of the documentation is reachable from its index', () => {
  const indexes = ['docs/README.md', 'docs/adr/README.md', 'docs/formats/README.md'];
  const linked = indexes.flatMap((index) =>
    Array.from(text(index).matchAll(LINK), ([, target]) => join(dirname(index), target as string)),
  );
  const pages = filesIn('docs', '.md').filter((page) => page !== 'docs/README.md');
  expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
});

test('every page that a message of Oka names exists', () => {
  const named = filesIn('src', '.ts').flatMap((file) => text(file).match(NAMED_PAGE) ?? []);
  expect(named.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});
