// Keeps what would be made anew at every start of the command line: the code that V8 makes of it, all that listing runs has
// needed of it, and the help of every command. Called with the folder of the build.

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import commandLine from '../bin/command-line.cjs';

const [dist] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'oka-build-'));
process.env.OKA_HOME = join(folder, 'home');
try {
  const { main, code, wholeProgram } = commandLine.load(dist);
  for (const words of [['init'], ['runs', 'list']]) await main(['-C', folder, ...words]);
  keep('cli.code', code());
  // A checkout of a test may lack the commands.
  if (wholeProgram)
    keep('help.json', JSON.stringify(Object.fromEntries(helpBelow(await wholeProgram(), []))));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function keep(name, contents) {
  const temporary = join(dist, `${name}.${process.pid}.tmp`);
  writeFileSync(temporary, contents);
  renameSync(temporary, join(dist, name));
}

/** The help of a command and those below it. Those come first, because they show examples that its own help takes away. */
function helpBelow(command, words) {
  const below = command.commands.flatMap((each) => helpBelow(each, [...words, each.name()]));
  return [...below, [words.join(' '), command.helpInformation()]];
}
