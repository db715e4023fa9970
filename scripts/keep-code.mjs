// Keeps the code that V8 makes of the command line, all that listing runs has needed of it. Called with the folder of the
// build.

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import commandLine from '../bin/command-line.cjs';

const [dist] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'oka-build-'));
process.env.OKA_HOME = join(folder, 'home');
try {
  const { main, code } = commandLine.load(dist);
  for (const words of [['init'], ['runs', 'list']]) await main(['-C', folder, ...words]);
  const temporary = join(dist, `cli.code.${process.pid}.tmp`);
  writeFileSync(temporary, code());
  renameSync(temporary, join(dist, 'cli.code'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
