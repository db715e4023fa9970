// Prints the help of every command as the program prints it and as the build has rendered it, in one process because there
// are more than a hundred.
'use strict';
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const folder = dirname(require.resolve('oka/package.json'));
const dist = join(folder, 'dist');
const { main } = require(join(folder, 'bin', 'command-line.cjs')).load(dist);
const { helpFor } = require(join(folder, 'bin', 'help.cjs'));
const write = process.stdout.write.bind(process.stdout);
// Each call of the program adds a listener.
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

async function pageOf(words) {
  let text = '';
  process.stdout.write = (piece) => {
    text += piece;
    return true;
  };
  const args = [...words, '--help'];
  const exitCode = await main(args);
  process.stdout.write = write;
  return { words, exitCode, text, rendered: helpFor(args, { dist }) };
}

async function helpOf(words) {
  const page = await pageOf(words);
  const [, list = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(page.text) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
  const pages = [page];
  for (const name of names) pages.push(...(await helpOf([...words, name])));
  return pages;
}

async function allPages() {
  const pages = await helpOf([]);
  const shown = new Set(pages.map(({ words }) => words.join(' ')));
  const rendered = Object.keys(JSON.parse(readFileSync(join(dist, 'help.json'), 'utf8')));
  // Hidden commands.
  for (const name of rendered) if (!shown.has(name)) pages.push(await pageOf(name.split(' ')));
  return pages;
}

allPages().then((pages) => write(JSON.stringify(pages)));
