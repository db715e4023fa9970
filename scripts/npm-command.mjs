import { basename } from 'node:path';

/** How to call npm: the one that runs this script where there is one, else the one on the path. */
export function npmCommand(environment = process.env) {
  const running = environment.npm_execpath ?? '';
  if (basename(running) === 'npm-cli.js') return { command: process.execPath, args: [running] };
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}
