#!/usr/bin/env node
// CommonJS on purpose: Node starts it without its module loader, which the version and the help never need.
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const dist = join(__dirname, '..', 'dist');
const args = process.argv.slice(2);

if (!existsSync(join(dist, 'cli.cjs'))) {
  process.stderr.write(
    `Oka is not built yet. Build it with: npm install --prefix ${join(__dirname, '..')}\n`,
  );
  process.exitCode = 1;
} else {
  const text = textFor(args);
  if (text === undefined) run().catch(explain);
  else print(text);
}

/** What the build has written down for these arguments. */
function textFor([first, ...more]) {
  if (first === undefined) return undefined;
  if (more.length === 0 && (first === '--version' || first === '-V'))
    return readFileSync(join(dist, 'version.txt'));
  if (!['help', '--help', '-h'].some((word) => args.includes(word))) return undefined;
  return require('./help.cjs').helpFor(args, { dist, columns: process.stdout.columns });
}

function print(text) {
  process.stdout.on('error', (error) => {
    // A reader such as `head` may close the pipe.
    if (error.code === 'EPIPE') return;
    process.stderr.write(`✗ Cannot write the output: ${error.message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(text);
}

async function run() {
  process.exitCode = await require('./command-line.cjs').load(dist).main(args);
}

function explain(error) {
  const next =
    'Check the installation, the disk and the limit of open files (ulimit -n), then run the command again.';
  process.stderr.write(`✗ Cannot load Oka: ${error.message}. ${next}\n`);
  process.exitCode = 1;
}
