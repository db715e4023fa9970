// Owns: serving the built web app. It holds nothing private, so it needs no session; the app asks for one.
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';

const FOLDER = fileURLToPath(new URL('./web', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
/** Vite writes names with a hash of the content here. */
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;
const ONE_YEAR = 'public, max-age=31536000, immutable';

const NOT_BUILT = `<!doctype html><meta charset="utf-8"><title>Oka</title>
<p>The web app is not built. In a checkout of Oka run <code>npm start</code>, or <code>node scripts/build-web.mjs</code>, and reload this page.</p>
`;

/** Answers with a file of the app, or with index.html for every other path: the app chooses the page by the address. */
export function staticFiles(folder = FOLDER): (c: Context) => Response {
  const known = new Map<string, Buffer>();
  const read = (path: string): Buffer | undefined => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const file = resolve(folder, `.${path}`);
    if (!file.startsWith(folder + sep) || extname(file) === '' || !existsSync(file)) return undefined;
    const content = readFileSync(file);
    // Other files change with the next build.
    if (HASHED.test(path)) known.set(path, content);
    return content;
  };
  return (c) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      c.header('allow', 'GET, HEAD');
      return c.text('Pages can only be read.', 405);
    }
    const path = safePath(c.req.path);
    const file = path === undefined ? undefined : read(path);
    if (path !== undefined && file !== undefined && path !== '/index.html') {
      const type = TYPES[extname(path)] ?? 'application/octet-stream';
      return send(c, file, type, HASHED.test(path) ? ONE_YEAR : 'no-cache');
    }
    if (path === undefined || path.startsWith('/assets/')) return c.text('Not found', 404);
    const page = join(folder, 'index.html');
    const content = existsSync(page) ? readFileSync(page) : NOT_BUILT;
    return send(c, content, TYPES['.html'] as string, 'no-cache');
  };
}

function send(c: Context, content: Buffer | string, type: string, caching: string): Response {
  c.header('cache-control', caching);
  c.header('content-type', type);
  return c.body(typeof content === 'string' ? content : new Uint8Array(content));
}

/** Undefined for a path that is not decodable or contains what no name in the app has. */
function safePath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    return /[\0\\]|(^|\/)\.\.?(\/|$)/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
