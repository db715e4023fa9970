import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const IMPORT = /^import (type )?\{([^}]*)\} from '(\.{1,2}\/[^']*index\.ts)';$/gm;
const EXPORT = /^export (type )?\{([^}]*)\} from '(\.{1,2}\/[^']*\.ts)';$/gm;

/**
 * Lets an import of a folder's face lead to the files behind it. The bundler splits by file and takes all that a face
 * mentions for one piece, so that a command which needs one function of a folder would load the folder.
 */
export const pastFaces = {
  name: 'past-faces',
  setup(bundler) {
    const faces = new Map();
    bundler.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replaceAll(IMPORT, (whole, typesOnly, names, face) =>
        typesOnly ? '' : importPast(whole, names, join(dirname(path), face), dirname(path), faces),
      );
      return { contents, loader: 'ts' };
    });
  },
};

function importPast(whole, names, face, folder, faces) {
  const behind = filesBehind(face, faces);
  const byFile = new Map();
  for (const specifier of listOf(names)) {
    if (specifier.startsWith('type ')) continue;
    const [name, local = name] = specifier.split(' as ');
    const origin = behind.get(name);
    if (origin === undefined) return whole;
    const list = byFile.get(origin.file) ?? [];
    byFile.set(origin.file, [...list, origin.name === local ? local : `${origin.name} as ${local}`]);
  }
  return [...byFile]
    .map(
      ([file, list]) =>
        `import { ${list.join(', ')} } from './${relative(folder, file).replaceAll('\\', '/')}';`,
    )
    .join(' ');
}

/** Where each name of a face comes from. */
function filesBehind(face, faces) {
  const known = faces.get(face);
  if (known) return known;
  const behind = new Map();
  faces.set(face, behind);
  for (const [, typesOnly, names, from] of readFileSync(face, 'utf8').matchAll(EXPORT)) {
    if (typesOnly) continue;
    const file = join(dirname(face), from);
    for (const specifier of listOf(names)) {
      if (specifier.startsWith('type ')) continue;
      const [name, exported = name] = specifier.split(' as ');
      const further = file.endsWith('index.ts') ? filesBehind(file, faces).get(name) : undefined;
      behind.set(exported, further ?? { file, name });
    }
  }
  return behind;
}

function listOf(names) {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
