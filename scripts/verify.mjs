import { spawnSync } from 'node:child_process';
import { npmCommand } from './npm-command.mjs';
import { afterSetup } from './setup.mjs';

const checks = ['format:check', 'lint', 'typecheck', 'layers', 'deadcode', 'test'];

afterSetup(() => {
  const { command, args, shell } = npmCommand();
  for (const check of checks) {
    process.stdout.write(`\n== ${check} ==\n`);
    const { status } = spawnSync(command, [...args, 'run', '--silent', check], { stdio: 'inherit', shell });
    if (status === 0) continue;
    process.stderr.write(`\nverify stopped: ${check} failed.\n`);
    process.exitCode = 1;
    return;
  }
  process.stdout.write(`\nverify passed: ${checks.join(', ')}.\n`);
});
