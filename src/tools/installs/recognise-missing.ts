import { stripVTControlCharacters } from 'node:util';
import type { OkaError } from '../../kernel/index.ts';
import type { ProcessResult } from '../ports.ts';
import type { MissingDependency, MissingKind } from './types.ts';

const MAX_TEXT_LENGTH = 65_536;
const MAX_LINE_LENGTH = 1_000;
const MAX_EVIDENCE_LENGTH = 500;

/** Finds the missing dependency in the output of a failed process. The last matching line wins: it is nearest to the failure. */
export function recogniseMissing(
  failure: Pick<ProcessResult, 'exitCode' | 'stdout' | 'stderr'> | OkaError,
): MissingDependency | undefined {
  if (failure instanceof Error) return recogniseProgram(failure);
  if (failure.exitCode === null || failure.exitCode === 0) return undefined;
  return recogniseText(failure.stderr) ?? recogniseText(failure.stdout);
}

function recogniseProgram({ code, data, message }: OkaError): MissingDependency | undefined {
  const program = data['program'];
  if (code !== 'process.program_missing' || typeof program !== 'string') return undefined;
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}$/.test(program)) return undefined;
  return { kind: 'command', name: program, evidence: message.slice(0, MAX_EVIDENCE_LENGTH) };
}

function recogniseText(given: string): MissingDependency | undefined {
  const text = stripVTControlCharacters(given.slice(-MAX_TEXT_LENGTH));
  for (const line of text.split(/\r?\n/).reverse()) {
    if (line.length > MAX_LINE_LENGTH) continue;
    for (const { kind, pattern, loader, nameOf, whenText } of FAILURE_PATTERNS) {
      const name = pattern.exec(line)?.groups?.['name'];
      if (name === undefined || (whenText && !text.includes(whenText))) continue;
      const evidence = line.trim().slice(0, MAX_EVIDENCE_LENGTH);
      return { kind, name: nameOf?.(name) ?? name, ...(loader && { loader }), evidence };
    }
  }
  return undefined;
}

/** How one program or language reports a missing dependency. Each pattern matches one line, in linear time. */
interface FailurePattern {
  readonly kind: MissingKind;
  readonly pattern: RegExp;
  readonly loader?: 'require' | 'import';
  readonly nameOf?: (found: string) => string;
  /** A text that must also be in the same output. */
  readonly whenText?: string;
}

const PROGRAM = '(?<name>[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99})';
const QUOTE = '[\'"\u2018\u2019`]?';
const MODULE = '(?<name>[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)*)';
const NODE = '(?<name>(?:@[a-z0-9][a-z0-9._-]*/)?[A-Za-z0-9][A-Za-z0-9._-]*)(?:/[^\'":]*)?';
const NOT_THERE = 'No such file or directory';

const commands = [
  // bash, ksh, sudo, make, busybox with line numbers
  `(?:^|: )${PROGRAM}: [Cc]ommand not found$`,
  // dash, busybox, ash
  `^[^:]{1,300}: (?:line )?(?:\\d+: )?${PROGRAM}: not found$`,
  // zsh, fish
  `^zsh:(?:\\d+:)? command not found: ${PROGRAM}$`,
  `^fish: Unknown command:? ${QUOTE}${PROGRAM}${QUOTE}$`,
  // env, xargs, timeout and others that start a program
  `^(?:\\S{1,300}/)?(?:env|xargs|nohup|timeout|nice|ionice|stdbuf|setsid|chroot|flock|time): (?:failed to (?:run command|execute) |cannot run )?${QUOTE}${PROGRAM}${QUOTE}: ${NOT_THERE}$`,
  `^make(?:\\[\\d+\\])?: ${PROGRAM}: ${NOT_THERE}$`,
  // Node, Go, Ruby, Perl, Java
  `\\bspawn(?:Sync)? ${PROGRAM} ENOENT\\b`,
  `exec: "${PROGRAM}": executable file not found in \\$PATH`,
  `Errno::ENOENT\\)?: ${NOT_THERE} - ${PROGRAM}$`,
  `${NOT_THERE} - ${PROGRAM} \\(Errno::ENOENT\\)$`,
  `^Can't exec "${PROGRAM}": ${NOT_THERE}`,
  `Cannot run program "${PROGRAM}"(?: \\(in directory "[^"]{0,300}"\\))?: (?:error=2\\b|Exec failed)`,
  // setuptools and distutils
  `error: command ${QUOTE}${PROGRAM}${QUOTE} failed: ${NOT_THERE}$`,
  `unable to execute ${QUOTE}${PROGRAM}${QUOTE}: ${NOT_THERE}$`,
];

/** To recognize another message, add a line here and a recorded output to the test. */
const FAILURE_PATTERNS: readonly FailurePattern[] = [
  // Before the commands, because a library's message ends like that of a missing command.
  {
    kind: 'shared_library',
    pattern: /(?<name>lib[A-Za-z0-9_.+-]{1,100}): cannot open shared object file: No such file or directory/,
  },
  { kind: 'python_module', pattern: new RegExp(`\\bModuleNotFoundError: No module named '${MODULE}'\\)?$`) },
  { kind: 'python_module', pattern: new RegExp(`\\bImportError: No module named '?${MODULE}'?$`) },
  { kind: 'python_module', pattern: new RegExp(`python[\\d.]{0,8}: No module named ${MODULE}$`) },
  {
    kind: 'python_package',
    pattern: /\bImportError: Missing optional dependency '(?<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})'/,
  },
  {
    kind: 'node_module',
    loader: 'require',
    pattern: new RegExp(`\\bError: Cannot find module '${NODE}'$`),
  },
  {
    kind: 'node_module',
    loader: 'import',
    pattern: new RegExp(`\\bCannot find package '${NODE}' imported from `),
  },
  {
    kind: 'node_package',
    pattern:
      /npx canceled due to missing packages and no YES option: \["(?<name>(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*)(?:@[^"]{0,100})?"/,
  },
  {
    kind: 'command',
    pattern: /^git: '(?<name>[a-z][a-z-]{0,40})' is not a git command\./,
    nameOf: (found) => `git-${found}`,
  },
  {
    kind: 'command',
    pattern: new RegExp(`^FileNotFoundError: \\[Errno 2\\] ${NOT_THERE}: '${PROGRAM}'$`),
    // A missing file gives the same message; only this text shows that it was a program.
    whenText: '_execute_child',
  },
  ...commands.map((source): FailurePattern => ({ kind: 'command', pattern: new RegExp(source) })),
];
