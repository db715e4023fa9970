import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GraphFile } from './graph-files.ts';

/** In the checkout and in the package the gallery is beside dist. */
const FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../gallery/' : '../gallery/', import.meta.url),
);

/** The example graphs that come with the package, by name. */
export function readGallery(): readonly GraphFile[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ path: join(FOLDER, name), text: readFileSync(join(FOLDER, name), 'utf8') }));
}
