// Owns: detecting arguments that make a shell run a text.
import { OkaError } from '../kernel/index.ts';
import type { ToolsErrorCode } from './errors.ts';

const SHELLS: ReadonlySet<string> = new Set(
  'sh bash rbash dash ash hush zsh rzsh ksh rksh mksh pdksh lksh oksh yash posh osh fish csh tcsh elvish nu xonsh static-sh'.split(
    ' ',
  ),
);
/** Shells with other option syntax; they may only run a script file. */
const FOREIGN_SHELLS: ReadonlySet<string> = new Set(['pwsh', 'powershell', 'cmd']);
/** Options with which other programs start a shell for a text. */
const STARTS_SHELL: Readonly<Record<string, RegExp>> = {
  su: /^(-[a-z]*c|--(session-)?command\b)/i,
  runuser: /^(-[a-z]*c|--(session-)?command\b)/i,
  script: /^(-[a-z]*c|--command\b)/,
  flock: /^(-[a-z]*c|--command\b)/,
  sg: /^/,
  watch: /^/,
  parallel: /^/,
  npm: /^(-c|--call\b)/,
  npx: /^(-[a-z]*c|--call\b|--shell\b)/,
  pnpm: /^(-c|--shell-mode\b)/,
};
/** Shell options with and without a value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['--rcfile', '--init-file', '--emulate']);
const WITHOUT_VALUE: ReadonlySet<string> = new Set(
  '--login --noprofile --norc --noediting --posix --restricted --verbose --debug --no-config --private --protected'.split(
    ' ',
  ),
);
const HARMLESS: ReadonlySet<string> = new Set(['--version', '--help']);
/** Script files that are the standard input. */
const PIPED = /^(-|\/dev\/(stdin|fd\/.*)|\/proc\/.*)$/;

/** Refuses arguments that make a shell run a text, also behind other programs. */
export function refuseShell(argv: readonly string[], stdin?: string): void {
  const shell = findShell(argv, stdin);
  if (shell === undefined) return;
  throw new OkaError<ToolsErrorCode>(
    'process.shell_refused',
    `"${shell}" would make a shell run a text. Give the program and its arguments as argv, or run a script file.`,
    { data: { program: shell } },
  );
}

function findShell(argv: readonly string[], stdin: string | undefined): string | undefined {
  const programs = argv.map(programName);
  // xargs passes its standard input as arguments.
  const words = programs.includes('xargs') && stdin !== undefined ? [...argv, ...wordsOf(stdin)] : argv;
  for (const [i, word] of words.entries()) {
    const name = programName(word);
    const rest = words.slice(i + 1);
    if (SHELLS.has(name) && takesText(rest, stdin !== undefined)) return name;
    if (FOREIGN_SHELLS.has(name) && isForeignText(rest, i === 0)) return name;
    if (name === 'env' && splitsText(rest)) return 'env -S';
    if (i === 0 && startsShell(name, rest)) return name;
  }
  return undefined;
}

/** Whether a shell with these arguments runs a text: after `-c`, or from standard input. */
function takesText(rest: readonly string[], piped: boolean): boolean {
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] as string;
    if (HARMLESS.has(word)) return false;
    if (word === '--') return piped && (rest[i + 1] === undefined || PIPED.test(rest[i + 1] as string));
    if (!/^[-+]./.test(word)) return PIPED.test(word) && piped;
    if (word.startsWith('--')) {
      if (WITH_VALUE.has(word)) i += 1;
      else if (!WITHOUT_VALUE.has(word)) return true;
      continue;
    }
    if (/c/i.test(word) || (piped && word.includes('s'))) return true;
    if (/o$/i.test(word)) i += 1;
  }
  return piped;
}

/** Behind another program, such a name counts as a shell only with an option. */
function isForeignText([first]: readonly string[], isProgram: boolean): boolean {
  if (first === undefined) return isProgram;
  return /^[-/]/.test(first) && !/^--?(file|version|help)$/i.test(first);
}

/** Whether env splits a text into arguments. */
function splitsText(rest: readonly string[]): boolean {
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] as string;
    if (/^(-[iv0]*S|--s)/.test(word)) return true;
    if (/^-[uC]$/.test(word)) i += 1;
    else if (!word.startsWith('-') && !word.includes('=')) return false;
  }
  return false;
}

function startsShell(name: string, rest: readonly string[]): boolean {
  const shape = Object.hasOwn(STARTS_SHELL, name) ? STARTS_SHELL[name] : undefined;
  if (shape === undefined || rest.some((word) => HARMLESS.has(word))) return false;
  if (name === 'watch') return !rest.some((word) => /^(-[a-z]*x|--exec)/.test(word));
  if (name === 'npm' && !['exec', 'x'].includes(rest[0] ?? '')) return false;
  return rest.some((word) => shape.test(word));
}

/** The program name without folder, version and `.exe`. */
function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  return name.replace(/\.exe$/i, '').replace(/[-.]?\d[\d.]*$/, '');
}

function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll('\0', ' ')
    .replace(/["'\\]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}
