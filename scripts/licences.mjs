import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The licences of the packages in the bundle, each text once, because the packages themselves are not installed. */
export function licences(root, metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(inputs.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
  const byText = new Map();
  for (const folder of [...folders].sort()) {
    const { name, version, license, text } = licenceOf(join(root, folder));
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...byText]
    .map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder) {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) throw new Error(`${folder} has no package.json`);
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file === undefined ? 'It has no text of its own.' : readFileSync(join(folder, file), 'utf8');
  return { ...JSON.parse(readFileSync(manifest, 'utf8')), text: text.trim() };
}
