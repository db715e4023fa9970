import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const environment = { ...process.env, DO_NOT_TRACK: '1', MASTRA_TELEMETRY_DISABLED: '1' };
// Where it is set, it adds tens of milliseconds to every start of Node.
delete environment.NODE_EXTRA_CA_CERTS;

const GIVES_UP_AFTER_MS = 600_000;

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs one subject in a process of its own and answers with the JSON of its last line. */
export function runSubject(program, args) {
  const path = program.includes('/')
    ? program
    : fileURLToPath(new URL(`subjects/${program}.mjs`, import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path, ...args.map(String)], {
      env: environment,
      timeout: GIVES_UP_AFTER_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let problem = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      problem = (problem + text).slice(-4_000);
    });
    running.add(child);
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      running.delete(child);
      const last = output.trimEnd().split('\n').at(-1);
      if (signal === 'SIGKILL' && args[0] === 'crash') resolve(undefined);
      else if (exitCode !== 0)
        reject(new Error(`${args[0]} ended with ${exitCode ?? signal}: ${reasonIn(problem)}`));
      else {
        try {
          resolve(last ? JSON.parse(last) : undefined);
        } catch {
          reject(new Error(`${args[0]} answered with what is no JSON: ${last.slice(0, 200)}`));
        }
      }
    });
  });
}

/** The line of an error where there is one, else the last lines. */
function reasonIn(problem) {
  const lines = problem.trim().split('\n');
  return lines.find((line) => /^\w*Error\b.*: /.test(line)) ?? lines.slice(-8).join('\n');
}
