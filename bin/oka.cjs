#!/usr/bin/env node
// CommonJS on purpose: Node starts it without its module loader, which a bare `oka --version` never needs.
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
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.on('error', (error) => {
    // A reader such as `head` may close the pipe.
    if (error.code === 'EPIPE') return;
    process.stderr.write(`✗ Cannot write the output: ${error.message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(readFileSync(join(dist, 'version.txt')));
} else {
  run().catch((error) => {
    const next =
      'Check the installation, the disk and the limit of open files (ulimit -n), then run the command again.';
    process.stderr.write(`✗ Cannot load Oka: ${error.message}. ${next}\n`);
    process.exitCode = 1;
  });
}

async function run() {
  process.exitCode = await require('./command-line.cjs').load(dist).main(args);
}
