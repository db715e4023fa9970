import { describe, expect, it } from 'vitest';
import { refuseShell } from './shell-command.ts';

const refused: readonly (readonly string[])[] = [
  ['sh', '-c', 'ls'],
  ['/bin/sh', '-c', 'ls'],
  ['/usr/bin/../bin/bash', '-lc', 'ls'],
  ['bash', '-c', 'ls', 'name', 'argument'],
  ['bash', '-e', '-u', '-c', 'ls'],
  ['bash', '-euo', 'pipefail', '-c', 'ls'],
  ['bash', '-o', 'errexit', '-c', 'ls'],
  ['bash', '+x', '-c', 'ls'],
  ['bash', '+O', 'extglob', '-c', 'ls'],
  ['bash', '--norc', '-c', 'ls'],
  ['bash', '--rcfile', 'x', '-c', 'ls'],
  ['bash', '--unheard-of', 'x'],
  ['bash', '-xc', 'ls'],
  ['bash', '-cx', 'ls'],
  ['bash-5.2', '-c', 'ls'],
  ['zsh5.9', '-c', 'ls'],
  ['dash', '-c', 'ls'],
  ['ksh93', '-c', 'ls'],
  ['fish', '--command', 'ls'],
  ['fish', '--command=ls'],
  ['fish', '-C', 'ls'],
  ['tcsh', '-fc', 'ls'],
  ['env', 'sh', '-c', 'ls'],
  ['env', '-i', 'A=1', 'bash', '-c', 'ls'],
  ['/usr/bin/env', '-S', 'sh -c ls'],
  ['env', '-iS', 'sh -c ls'],
  ['env', '-Ssh -c ls'],
  ['env', '-u', 'A', '-S', 'sh -c ls'],
  ['env', '--split-string=sh -c ls'],
  ['env', '--split', 'sh -c ls'],
  ['busybox', 'sh', '-c', 'ls'],
  ['busybox', 'ash', '-c', 'ls'],
  ['xargs', 'sh', '-c', 'ls'],
  ['xargs', '-I{}', '-n1', 'sh', '-c', 'rm {}'],
  ['find', '.', '-exec', 'sh', '-c', 'rm "$0"', '{}', ';'],
  ['timeout', '5', 'bash', '-c', 'ls'],
  ['nice', '-n', '5', 'nohup', 'setsid', 'stdbuf', '-o0', 'sh', '-c', 'ls'],
  ['sudo', '-u', 'root', 'sh', '-c', 'ls'],
  ['env', 'env', 'env', '-S', 'sh -c ls'],
  ['su', '-c', 'ls'],
  ['su', 'root', '--command=ls'],
  ['script', '-qc', 'ls', '/dev/null'],
  ['flock', '/tmp/x', '-c', 'ls'],
  ['watch', 'ls'],
  ['parallel', 'echo {}', ':::', 'a'],
  ['npx', '-c', 'ls'],
  ['npm', 'exec', '--call', 'ls'],
  ['pwsh', '-Command', 'ls'],
  ['pwsh', '-NoLogo', '-Command', 'ls'],
  ['powershell.exe', '-EncodedCommand', 'bABzAA=='],
  ['cmd', '/c', 'dir'],
];

const allowed: readonly (readonly string[])[] = [
  ['ls', '-c'],
  ['sh', 'script.sh'],
  ['sh', 'script.sh', '-c', 'release'],
  ['bash', '-e', './script.sh'],
  ['bash', '-eo', 'pipefail', 'script.sh', '-c'],
  ['bash', '--', 'script.sh', '-c'],
  ['bash', '--version'],
  ['env', 'A=-S', 'bash', 'script.sh'],
  ['env', 'tool', '-S', 'x'],
  ['python3', '-c', 'print(1)'],
  ['node', '-e', '1'],
  ['ssh', 'host', 'ls'],
  ['git', 'log', '-c', '--', 'sh'],
  ['grep', '-c', 'sh', 'file'],
  ['watch', '-x', 'ls'],
  ['npm', 'run', 'build', '--', '-c', 'x'],
  ['npm', 'exec', 'tsc'],
  ['flock', 'file', 'tool'],
  ['pwsh', '-File', 'x.ps1'],
  ['git', 'commit', '-m', 'sh -c is refused'],
];

describe('refuseShell', () => {
  it.each(refused)('refuses %s %s %s %s', (...argv) => {
    expect(() => refuseShell(argv)).toThrow(expect.objectContaining({ code: 'process.shell_refused' }));
  });

  it.each(allowed)('allows %s %s %s %s', (...argv) => {
    expect(() => refuseShell(argv)).not.toThrow();
  });

  it('refuses a shell that reads standard input', () => {
    const piped = [
      ['sh'],
      ['bash', '-s', 'x'],
      ['bash', '-es'],
      ['env', 'sh'],
      ['sh', '-'],
      ['sh', '/dev/stdin'],
      ['sh', '/dev/fd/0'],
      ['sh', '--', '/proc/self/fd/0'],
    ];
    for (const argv of piped) {
      expect(() => refuseShell(argv, 'rm -rf x')).toThrow('would make a shell run a text');
      expect(() => refuseShell(argv)).not.toThrow();
    }
    expect(() => refuseShell(['sh', 'script.sh'], 'data')).not.toThrow();
  });

  it('refuses standard input that makes xargs start a shell', () => {
    expect(() => refuseShell(['xargs'], 'sh -c "ls"')).toThrow('shell');
    expect(() => refuseShell(['xargs', 'env'], "'sh'\n-c\nls")).toThrow('shell');
    expect(() => refuseShell(['xargs', 'ls'], 'a b')).not.toThrow();
  });
});
