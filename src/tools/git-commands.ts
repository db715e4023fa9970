// Owns: which git command lines only read. The table lists what is allowed; everything else counts as a write.

/** The options of a read-only command. */
interface ReadCommand {
  /** Long options, with or without `=value`. */
  readonly long: readonly string[];
  /** Short options, alone or joined, with their values attached. */
  readonly short: RegExp;
  /** One of these must be present, unless there are no words besides options. */
  readonly needs?: readonly string[];
  /** The first words besides options that are allowed. Default: any. */
  readonly first?: readonly string[];
}

const words = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));
const NONE = /^-$/;

const DIFF = words(
  '--patch --no-patch --stat --numstat --shortstat --summary --name-only --name-status --raw --unified --minimal',
  '--patience --histogram --diff-algorithm --word-diff --no-renames --find-renames --find-copies --diff-filter',
  '--ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-space-at-eol --relative --full-index',
  '--abbrev --no-color --color --text --function-context --no-prefix --exit-code --quiet --check --compact-summary',
);
const LOG = words(
  '--oneline --max-count --skip --since --after --until --before --author --committer --grep --all-match --invert-grep',
  '--regexp-ignore-case --fixed-strings --extended-regexp --all --branches --tags --remotes --graph --decorate',
  '--no-decorate --follow --reverse --merges --no-merges --first-parent --date --format --pretty --abbrev-commit',
  '--no-abbrev-commit --left-right --cherry-pick --cherry-mark --full-history --topo-order --date-order --no-notes --source',
);
const SHORT_DIFF = '[pusawbzRMCB]+|U\\d+|[MC]\\d+%?|[SG].*';
const diffCommand = (long: readonly string[]): ReadCommand => ({
  long: [...DIFF, ...long],
  short: new RegExp(`^-(${SHORT_DIFF})$`),
});
const logCommand: ReadCommand = {
  long: [...DIFF, ...LOG],
  short: new RegExp(`^-(${SHORT_DIFF}|n\\d*|\\d+|[iEF]+|L.+|g)$`),
};
const REFS = words(
  '--sort --format --contains --no-contains --merged --no-merged --points-at --column --no-column --ignore-case',
);

/** The read-only commands of git, with every option that they may have. */
const GIT_READS: Readonly<Record<string, ReadCommand>> = {
  status: {
    long: words(
      '--short --branch --porcelain --long --untracked-files --ignored --show-stash --ahead-behind --no-ahead-behind',
      '--renames --no-renames --find-renames --no-column',
    ),
    short: /^-([sbz]+|u(no|normal|all)?)$/,
  },
  diff: diffCommand(words('--cached --staged --merge-base')),
  log: logCommand,
  show: logCommand,
  shortlog: { long: words('--summary --numbered --email', ...LOG), short: /^-([sne]+|\d+)$/ },
  reflog: { long: words('--oneline --max-count --date --all'), short: /^-(n\d*|\d+)$/, first: ['show'] },
  branch: {
    long: words('--list --all --remotes --verbose --show-current --no-color --abbrev', ...REFS),
    short: /^-[lravi]+$/,
    needs: ['--list'],
  },
  tag: { long: words('--list', ...REFS), short: /^-(l|n\d*|i)$/, needs: ['--list', '-l'] },
  remote: { long: words('--verbose'), short: /^-v$/, first: ['get-url'] },
  'rev-parse': {
    long: words(
      '--show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree',
      '--is-inside-git-dir --is-bare-repository --is-shallow-repository --abbrev-ref --short --verify --quiet --symbolic',
      '--symbolic-full-name --all --branches --tags --remotes --show-object-format',
    ),
    short: /^-q$/,
  },
  'rev-list': { long: words('--count --objects --no-walk', ...LOG), short: /^-(n\d*|\d+|[iEF]+)$/ },
  'merge-base': { long: words('--all --is-ancestor --octopus --fork-point'), short: /^-a$/ },
  describe: {
    long: words('--tags --all --always --long --abbrev --match --exclude --exact-match --first-parent'),
    short: NONE,
  },
  'for-each-ref': { long: words('--count', ...REFS), short: NONE },
  'ls-files': {
    long: words(
      '--cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --no-empty-directory',
      '--exclude-standard --error-unmatch --full-name --eol --abbrev --deduplicate',
    ),
    short: /^-[cdmoisuktvz]+$/,
  },
  'ls-tree': {
    long: words('--long --name-only --name-status --full-name --full-tree --abbrev'),
    short: /^-[rtdlz]+$/,
  },
  'cat-file': { long: [], short: /^-[tsep]$/ },
  blame: {
    long: words(
      '--porcelain --line-porcelain --show-email --show-name --show-number --since --abbrev --date --root',
    ),
    short: /^-([bwsefnlptc]+|[MC]\d*|L.*)$/,
  },
  grep: {
    long: words(
      '--cached --untracked --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp',
      '--fixed-strings --perl-regexp --line-number --column --files-with-matches --files-without-match --name-only --count',
      '--heading --break --show-function --function-context --context --after-context --before-context --max-depth --and --or',
      '--not --all-match --quiet --null --only-matching --no-color --max-count',
    ),
    short: /^-([aiwvhHEGFPnlLczqoWp]+|[ABCm]\d*|e.*|\d+)$/,
  },
  config: {
    long: words(
      '--get --get-all --list --name-only --null --show-origin --show-scope --local --type --bool --int',
    ),
    short: /^-[lz]$/,
    needs: ['--get', '--get-all', '--list', '-l'],
  },
  stash: { long: [], short: NONE, first: ['list'], needs: ['list'] },
  worktree: { long: words('--porcelain'), short: /^-[vz]$/, first: ['list'], needs: ['list'] },
  'check-ignore': { long: words('--quiet --verbose --non-matching --no-index'), short: /^-[qvnz]+$/ },
  'count-objects': { long: words('--verbose --human-readable'), short: /^-[vH]+$/ },
  version: { long: words('--build-options'), short: NONE },
};

/** Options before the command that change nothing about what it may do. */
const HARMLESS_GLOBALS: ReadonlySet<string> = new Set(
  words('--no-pager -P --no-optional-locks --literal-pathspecs'),
);

/** The arguments of git, split at its command; no command if a global option has a value or is unknown. */
export function splitGit(args: readonly string[]): {
  readonly globals: readonly string[];
  readonly command: string | undefined;
  readonly rest: readonly string[];
} {
  const at = args.findIndex((word) => !word.startsWith('-'));
  const end = at === -1 ? args.length : at;
  return { globals: args.slice(0, end), command: args[at], rest: args.slice(end + 1) };
}

/** Whether git with these arguments, without the program, only reads. */
export function classifyGit(args: readonly string[]): 'read' | 'write' {
  if (args.length === 1 && args[0] === '--version') return 'read';
  const { globals, command = '', rest } = splitGit(args);
  const entry = Object.hasOwn(GIT_READS, command) ? GIT_READS[command] : undefined;
  if (entry === undefined || !globals.every((word) => HARMLESS_GLOBALS.has(word))) return 'write';
  return onlyReads(entry, rest) ? 'read' : 'write';
}

/**
 * Every word is checked, also behind an option that takes a value and behind `--`: git may read such a word as the value of an
 * option, or the other way around.
 */
function onlyReads({ long, short, needs, first }: ReadCommand, rest: readonly string[]): boolean {
  const isOption = (word: string): boolean => word.length > 1 && word.startsWith('-');
  const plain = rest.filter((word) => !isOption(word));
  if (!rest.every((word) => (isOption(word) ? isAllowed(word, long, short) : isInside(word)))) return false;
  if (first !== undefined && plain[0] !== undefined && !first.includes(plain[0])) return false;
  if (needs === undefined) return true;
  return (
    rest.some((word) => needs.includes(word)) ||
    (plain.length === 0 && !needs.some((word) => !isOption(word)))
  );
}

function isAllowed(word: string, long: readonly string[], short: RegExp): boolean {
  if (word === '--') return true;
  return word.startsWith('--') ? long.includes(word.split('=', 1)[0] as string) : short.test(word);
}

/** False for a path that may lead outside the repository; git diff reads such files without a repository. */
function isInside(word: string): boolean {
  return !word.startsWith('/') && !word.startsWith('~') && !/(^|\/)\.\.(\/|$)/.test(word);
}
