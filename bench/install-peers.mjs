import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFingerprint, readStamp } from '../scripts/fingerprint.mjs';
import { npmCommand } from '../scripts/npm-command.mjs';
import { showProgress } from '../scripts/show-progress.mjs';
import { postgresPackage } from './start-postgres.mjs';

/** Installs the peers on first use. False, after saying why, when they cannot be had: then only Oka is measured. */
export async function installPeers(bench) {
  const stamp = join(bench, 'node_modules', '.oka-bench');
  const fingerprint = `${installFingerprint(bench)} ${process.versions.modules}`;
  if (readStamp(stamp) === fingerprint) return true;
  try {
    await showProgress(
      'Installing the peers',
      npm(bench, ['ci', '--ignore-scripts', '--no-engine-strict', '--no-audit', '--no-fund']),
    );
  } catch (error) {
    process.stderr.write(`The peers cannot be measured, Oka goes on alone: ${error.message}\n`);
    return false;
  }
  const compiling = npm(bench, ['rebuild', 'better-sqlite3', '--foreground-scripts']);
  await goOnWithout(
    'LangGraph.js',
    showProgress('Compiling better-sqlite3 for LangGraph (about two minutes, once)', compiling),
  );
  // Its own script links the libraries that came with it under the names they are loaded by; nothing is downloaded.
  await goOnWithout('Postgres', npm(bench, ['rebuild', postgresPackage()]));
  writeFileSync(stamp, fingerprint);
  return true;
}

/** What only one peer needs must not cost the others. */
const goOnWithout = (name, work) =>
  work.catch((error) => {
    process.stderr.write(
      `${name} may not run; remove bench/node_modules to try its install again: ${error.message}\n`,
    );
  });

function npm(bench, args) {
  return new Promise((resolve, reject) => {
    const { command, args: first, shell } = npmCommand();
    // What `npm run` was told, such as to be silent or strict, reaches this one too, and what it is told here counts more.
    const child = spawn(command, [...first, ...args, '--loglevel=error'], {
      cwd: bench,
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (text) => {
      output = (output + text).slice(-2_000);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', reject);
    child.on('close', (exitCode) => {
      if (exitCode === 0) resolve();
      else
        reject(
          new Error(
            `npm ${args[0]} ended with ${exitCode}: ${output.trim().split('\n').slice(-6).join(' | ')}`,
          ),
        );
    });
  });
}
