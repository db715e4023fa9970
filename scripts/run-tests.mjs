import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closingLine } from './closing-line-reporter.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The tests that run only when asked, by option. */
const SUITES = {
  '--exhaustive': () => ({ OKA_EXHAUSTIVE: '1' }),
  '--scale': () => ({ OKA_SCALE: '1' }),
};

/** Runs vitest with the given filters and options, and ends with the closing line and the exit code. */
export async function runTests(args) {
  const { exitCode, counts } = await runVitest(
    args.filter((arg) => !Object.hasOwn(SUITES, arg)),
    Object.assign({}, ...args.map((arg) => SUITES[arg]?.())),
  );
  if (!counts) process.stderr.write('The test run ended before it could report: read the output above.\n');
  const passed = exitCode === 0 && counts?.failed === 0 && counts.passed > 0;
  process.stdout.write(`${closingLine(counts ?? { passed: 0, failed: 0, skipped: 0 })}\n`);
  process.exitCode = passed ? 0 : exitCode || 1;
}

function runVitest(args, environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...environment },
    });
    let counts;
    child.on('message', (message) => {
      counts = message.okaTestCounts ?? counts;
    });
    // A terminal interrupts the child by itself; stay to print the closing line.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, counts }));
  });
}
