import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command with its output kept in a log; resolves to exit code and output, rejects if it cannot be started.
 * Ends the command early once `isHopeless` says so of its output.
 */
export function runLogged({
  command,
  args,
  shell = false,
  root,
  log,
  lock,
  env = process.env,
  isHopeless = () => false,
}) {
  return new Promise((resolve, reject) => {
    const logFile = openSync(join(root, log), 'w');
    const child = spawn(command, args, { cwd: root, shell, env, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child.pid) lock.include(child.pid);

    let output = '';
    let failure;
    const keep = (text) => {
      output += text;
      try {
        writeSync(logFile, text);
      } catch (error) {
        failure ??= error;
      }
      if (failure || isHopeless(output)) child.kill();
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);

    let stoppedBy;
    const stop = (signal) => {
      stoppedBy = signal;
      child.kill(signal);
    };
    for (const signal of endings) process.on(signal, stop);

    child.on('error', (error) => {
      failure ??= error;
    });
    child.on('close', (exitCode) => {
      for (const signal of endings) process.off(signal, stop);
      closeSync(logFile);
      if (failure) reject(failure);
      else resolve({ exitCode, stoppedBy, output });
    });
  });
}
