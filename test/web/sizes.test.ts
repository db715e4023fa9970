import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../checkout.ts';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const folder = join(root, 'dist', 'web');
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Readonly<
  Record<string, Chunk>
>;
const compressed = (file: string): number => gzipSync(readFileSync(join(folder, file))).length;
const KB = 1_024;

/** The files that are loaded before a page is shown: the app, the page, and what both import at once. */
function loadedWith(page: string): readonly Chunk[] {
  const seen = new Set<string>();
  const visit = (key: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const next of manifest[key]?.imports ?? []) visit(next);
  };
  visit('index.html');
  visit(page);
  return [...seen].map((key) => manifest[key] as Chunk);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const pages = Object.keys(manifest).filter((key) => /^src\/pages\/.*-page\.tsx$/.test(key));

test('the first page loads at most 130 KB of script', () => {
  expect(sum(loadedWith('src/pages/home/home-page.tsx').map(({ file }) => compressed(file)))).toBeLessThan(
    130 * KB,
  );
});

test('no page loads more than 280 KB of script before it is shown', () => {
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages)
    expect(sum(loadedWith(page).map(({ file }) => compressed(file))), page).toBeLessThan(280 * KB);
});

test('all styles together have at most 20 KB', () => {
  const styles = new Set(Object.values(manifest).flatMap(({ css = [] }) => css));
  expect(sum([...styles].map(compressed))).toBeLessThan(20 * KB);
});

test('the page has no inline script and names only its own files', () => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(html).not.toMatch(/(src|href)="(?!\/assets\/)/);
});
