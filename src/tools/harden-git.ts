// Owns: how Oka runs git. I1 A read-only command starts no program that the repository, its settings or its attributes name. I2 Neither
// does another command, except that it may compare submodules, with their own settings.
import { OkaError } from '../kernel/index.ts';
import type { ToolsErrorCode } from './errors.ts';
import { classifyGit, splitGit } from './git-commands.ts';

/** What git needs to know of the person: who commits. */
export interface GitIdentity {
  readonly name?: string;
  readonly email?: string;
}

/** Command-line settings override those of every file. */
const SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['core.askPass', 'false'],
  ['core.sshCommand', 'ssh -oBatchMode=yes'],
  ['core.gitProxy', 'none'],
  ['core.attributesFile', '/dev/null'],
  ['protocol.ext.allow', 'never'],
  ['protocol.fd.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
  ['credential.helper', ''],
  ['log.showSignature', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['status.submoduleSummary', 'false'],
  ['diff.submodule', 'short'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['init.templateDir', ''],
  ['help.autoCorrect', '0'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** Settings of a repository whose value is a program, by the shape of their name, and a value that starts none. */
const PROGRAMS: readonly (readonly [name: RegExp, value: string])[] = [
  [/^filter\..*\.(clean|smudge|process)$/s, ''],
  [/^filter\..*\.required$/s, 'false'],
  [/^diff\.(external|.*\.(command|textconv))$/s, 'false'],
  [/^merge\..*\.driver$/s, 'false'],
  [/^(mergetool|difftool|guitool|browser|man)\..*\.(cmd|path)$/s, 'false'],
  [/^alias\./s, ''],
  [/^credential\..*\.helper$/s, ''],
  [/^remote\..*\.uploadpack$/s, 'git-upload-pack'],
  [/^remote\..*\.receivepack$/s, 'git-receive-pack'],
  [/^remote\..*\.vcs$/s, ''],
  [/^submodule\..*\.update$/s, 'checkout'],
  [/^pager\./s, 'false'],
  [/^trailer\..*\.(command|cmd)$/s, 'false'],
  [/^gpg\.ssh\.defaultkeycommand$/, 'false'],
  [/^core\.alternaterefscommand$/, 'false'],
  [/^(sequence\.editor|interactive\.difffilter|uploadpack\.packobjectshook)$/, 'false'],
  [/^sendemail\..*(cmd|smtpserver)$/s, 'false'],
];

const ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TEMPLATE_DIR: '',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  GIT_OPTIONAL_LOCKS: '0',
};

/** Options that would undo the above, wherever they are; git also accepts the beginning of a name. */
const REFUSED_OPTIONS = ['upload-pack', 'receive-pack', 'ext-diff', 'textconv', 'open-files-in-pager'];
const MIN_ABBREVIATION = 3;
/** The option of git diff that only begins like a refused one. */
const OTHER_OPTIONS: ReadonlySet<string> = new Set(['text']);
/** The same, for single commands. */
const REFUSED_SHORT: Readonly<Record<string, RegExp>> = {
  clone: /^(-[a-z]*[cu]|--conf|--templ)/,
  init: /^--templ/,
  grep: /^-[A-Za-z]*O/,
};
const REFUSED_GLOBALS =
  /^(-c|-C|-p|--(config-env|exec-path|git-dir|work-tree|namespace|super-prefix|bare|attr-source|paginate)(=|$))/;

const SHOWS_CHANGES: ReadonlySet<string> = new Set(['diff', 'log', 'show', 'whatchanged']);

/** Whether a program is git, by the name of its file. */
export function isGit(program: string): boolean {
  return /(^|[/\\])git(-[\w-]+)?(\.exe)?$/i.test(program);
}

/** Lists the settings of the repository; starts no program. */
export const GIT_SETTINGS_QUERY: readonly string[] = ['config', '--null', '--name-only', '--list'];

/** The variables for every program of git. */
export function gitEnvironment(): Readonly<Record<string, string>> {
  return ENVIRONMENT;
}

interface HardenOptions {
  /** The names of the settings that the repository has. */
  readonly settings?: readonly string[];
  /** False if there are more settings than these. */
  readonly complete?: boolean;
  readonly identity?: GitIdentity;
}

/**
 * The arguments with which git runs, given the names of the repository's settings. Fails with `process.git_refused` if an
 * argument or a setting would undo it.
 */
export function hardenGit(
  args: readonly string[],
  { settings = [], identity = {}, complete = true }: HardenOptions = {},
): readonly string[] {
  const { globals, command, rest } = splitGit(args);
  refuseArguments(globals, command, rest);
  if (!complete) throw refused('the configuration of the repository, which is very large,', 'Shorten it.');
  const pairs = [...SETTINGS, ...withoutPrograms(settings), ...identitySettings(identity, settings)];
  const set = pairs.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return [
    ...set,
    ...globals,
    ...(command === undefined ? [] : [command, ...addedOptions(command, args)]),
    ...rest,
  ];
}

function addedOptions(command: string, args: readonly string[]): readonly string[] {
  const shown = SHOWS_CHANGES.has(command) ? ['--no-ext-diff', '--no-textconv'] : [];
  if (command === 'blame' || command === 'grep') return ['--no-textconv'];
  // In a submodule git would use the settings of that repository.
  const isCompared = classifyGit(args) === 'read' && (command === 'status' || command === 'diff');
  return isCompared ? [...shown, '--ignore-submodules=dirty'] : shown;
}

function withoutPrograms(settings: readonly string[]): readonly (readonly [string, string])[] {
  return [...new Set(settings)].flatMap((name) => {
    const found = PROGRAMS.find(([shape]) => shape.test(name));
    if (found === undefined) return [];
    // git reads the setting up to the first "=", so the name could not be overridden.
    if (name.includes('='))
      throw refused(`the setting ${JSON.stringify(name)} of the repository`, 'Remove it.');
    return [[name, found[1]]];
  });
}

/** The person's name and address, unless the repository has its own. */
function identitySettings({ name, email }: GitIdentity, settings: readonly string[]): [string, string][] {
  const known = Object.entries({ 'user.name': name, 'user.email': email });
  return known.flatMap(([key, value]) =>
    value === undefined || settings.includes(key) ? [] : [[key, value]],
  );
}

function refuseArguments(
  globals: readonly string[],
  command: string | undefined,
  rest: readonly string[],
): void {
  const global = globals.find((word) => REFUSED_GLOBALS.test(word));
  if (global !== undefined)
    throw refused(`git ${global}`, 'Use cwd for another folder, and leave the settings of git as they are.');
  const short =
    command !== undefined && Object.hasOwn(REFUSED_SHORT, command) ? REFUSED_SHORT[command] : undefined;
  const option = rest.find((word) => short?.test(word) || isRefusedOption(word));
  if (option !== undefined) throw refused(`git ${command} ${option}`, 'Remove the option.');
}

function isRefusedOption(word: string): boolean {
  if (!word.startsWith('--')) return false;
  const name = word.slice(2).split('=', 1)[0] as string;
  if (name.length < MIN_ABBREVIATION || OTHER_OPTIONS.has(name)) return false;
  return REFUSED_OPTIONS.some((refusedName) => refusedName.startsWith(name));
}

function refused(what: string, next: string): OkaError<ToolsErrorCode> {
  return new OkaError('process.git_refused', `${what} can make git start another program. ${next}`, {
    data: { what },
  });
}
