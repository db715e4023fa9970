// Prints the help of every command, in one process because there are more than a hundred.
'use strict';
const { dirname, join } = require('node:path');

const folder = dirname(require.resolve('oka/package.json'));
const { main } = require(join(folder, 'bin', 'command-line.cjs')).load(join(folder, 'dist'));
const write = process.stdout.write.bind(process.stdout);

async function helpOf(words) {
  let text = '';
  process.stdout.write = (piece) => {
    text += piece;
    return true;
  };
  const exitCode = await main([...words, '--help']);
  process.stdout.write = write;
  const [, list = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(text) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
  const pages = [{ words, exitCode, text }];
  for (const name of names) pages.push(...(await helpOf([...words, name])));
  return pages;
}

helpOf([]).then((pages) => write(JSON.stringify(pages)));
