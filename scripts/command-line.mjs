// Builds the command line as CommonJS, which Node loads in half the time of its own modules, and in few files: what
// nearly every command loads is one.

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { build } from 'esbuild';

/** The file that starts everything; the others find in it what they share with it. */
const START = 'cli';
const FROM_ELSEWHERE = 'elsewhere';
const PIECE = 'piece';

/**
 * Bundles `main` and `entries`, split along their lazy imports, and returns the files and the metafile of the split. What
 * `main` and the sources of `together` import, other than lazily, becomes one file; `packed` has the names of its pieces.
 */
export async function buildCommandLine({ main, together, entries, plugins, ...options }) {
  const split = await build({
    ...options,
    entryPoints: { [START]: main, ...entries },
    splitting: true,
    format: 'esm',
    sourcemap: 'inline',
    plugins,
  });
  const pieces = new Map(split.outputFiles.map(({ path, text }) => [nameOf(path), text]));
  const packed = reachable(split.metafile, [main, ...together]);
  const { outputFiles } = await build({
    ...options,
    entryPoints: namedAsTheyAre([START, ...[...pieces.keys()].filter((name) => !packed.has(name))]),
    format: 'cjs',
    // Node's own way to import goes through its slow loader.
    supported: { 'dynamic-import': false },
    outExtension: { '.js': '.cjs' },
    plugins: [joinPieces(pieces, packed)],
  });
  return {
    outputFiles: outputFiles.map((file) => (basename(file.path) === `${START}.cjs` ? marked(file) : file)),
    metafile: split.metafile,
    packed,
  };
}

/** The file that starts everything ends with its own digest, by which the code that was made of it is known. */
function marked({ path, text }) {
  const mark = createHash('sha256').update(text).digest('hex');
  return { path, contents: `${text}//${mark}\n` };
}

/** A name may have dots, whose end would be taken for an ending. */
function namedAsTheyAre(names) {
  return names.map((name) => ({ in: name, out: name }));
}

/** The names of the pieces that are loaded with those made of these sources. */
function reachable({ outputs }, sources) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(nameOf(path))) return;
    found.add(nameOf(path));
    for (const { path: imported, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) visit(imported);
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (sources.includes(entryPoint)) visit(path);
  return found;
}

/** Puts the packed pieces into the file that starts everything, and leads from the others to them. */
function joinPieces(pieces, packed) {
  return {
    name: 'join-pieces',
    setup(bundler) {
      bundler.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point') return { path, namespace: path === START ? START : PIECE };
        if (!path.startsWith('./')) return { path, external: true };
        const name = nameOf(path);
        if (!pieces.has(name)) return { path, external: true };
        if (!packed.has(name)) return { path: `./${name}.cjs`, external: true };
        const isInside = importer === START || packed.has(importer);
        return { path: name, namespace: isInside ? PIECE : FROM_ELSEWHERE };
      });
      bundler.onLoad({ filter: /.*/, namespace: START }, () => ({ contents: startingWith(packed) }));
      bundler.onLoad({ filter: /.*/, namespace: PIECE }, ({ path }) => ({
        contents: inCommonJs(pieces.get(path)),
      }));
      bundler.onLoad({ filter: /.*/, namespace: FROM_ELSEWHERE }, ({ path }) => ({
        contents: `module.exports = require('./${START}.cjs').pieces[${JSON.stringify(path)}];`,
      }));
    },
  };
}

/** What the first file exports: the command line, and its pieces for the other files. */
function startingWith(packed) {
  const pieces = [...packed].map((name) => `get '${name}'() { return require('./${name}.js'); }`);
  return `export * from './${START}.js'; export const pieces = { ${pieces.join(', ')} };`;
}

/** A module of Node knows its address; in CommonJS it follows from the file name. */
function inCommonJs(source) {
  return source.replaceAll('import.meta.url', "require('node:url').pathToFileURL(__filename).href");
}

function nameOf(path) {
  return basename(path, '.js');
}
