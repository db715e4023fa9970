// Owns: which workspace files make some program act: an agent, an editor, a shell, git, a pipeline or a package manager.
// I1 Everything below a dot-folder, and every dot-file at the root, acts. The table adds the other names, and words for all of them,
// so a row that is missing there leaves a dot-path in the rule.

import { foldName, foldText } from '../kernel/index.ts';

const AGENTS = 'instructions or settings of agents';
const EDITOR = 'settings or tasks of an editor';
const SHELL = 'commands that a shell, git or a hook runs';
const PIPELINE = 'commands of continuous integration';
const PACKAGES = 'commands that a package manager runs';
const HIDDEN = 'a hidden file, on which programs may act';

/** Names that act in any folder. A folder covers everything below it. */
const NAMES: readonly (readonly [words: string, names: string])[] = [
  [
    AGENTS,
    `agents.md agents.override.md claude.md claude.local.md gemini.md policy.md skill.md copilot-instructions.md .mcp.json
    .oka .agents .aider.conf.yml .amazonq .augment .claude .cline .clinerules .codex .continue .cursor .cursorrules .gemini
    .goosehints .junie .kiro .opencode .qwen .roo .roomodes .windsurf .windsurfrules`,
  ],
  [
    EDITOR,
    `.devcontainer .devcontainer.json .dir-locals.el .exrc .fleet .helix .idea .lvimrc .nvim.lua .nvimrc .project.vim .settings
    .sublime .theia .vim .vimrc .vs .vscode .zed`,
  ],
  [
    SHELL,
    `.bash_profile .bashrc .envrc .git .gitattributes .gitconfig .githooks .gitmodules .husky .lefthook.yml lefthook.yml
    lefthook.yaml lefthook.toml .mise .mise.toml mise.toml .overcommit.yml .pre-commit-config.yaml .pre-commit-hooks.yaml
    .profile .tool-versions .zprofile .zshenv .zshrc`,
  ],
  [
    PIPELINE,
    `.appveyor.yml .azure-pipelines .buildkite .circleci .cirrus.yml .drone.yml .forgejo .gitea .github .gitlab .gitlab-ci.yml
    .teamcity .travis.yml .woodpecker .woodpecker.yml appveyor.yml azure-pipelines.yml azure-pipelines.yaml
    bitbucket-pipelines.yml buildspec.yml cloudbuild.yaml cloudbuild.yml jenkinsfile`,
  ],
  [
    PACKAGES,
    `.bundle .cargo .mvn .npmrc .pnpmfile.cjs .pnpmfile.mjs .pypirc .yarn .yarnrc .yarnrc.yml binding.gyp build.rs bunfig.toml
    package.json pip.conf pnpm-workspace.yaml pyproject.toml setup.cfg setup.py sitecustomize.py usercustomize.py`,
  ],
];
const WORDS: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap(([words, names]) => names.split(/\s+/).map((name) => [name, words] as const)),
);
const ENDINGS: readonly (readonly [words: string, ending: string])[] = [
  [AGENTS, '.instructions.md'],
  [EDITOR, '.code-workspace'],
  [PACKAGES, '.pth'],
];

/** The texts of a file before and after a change; undefined where it does not exist. */
export interface TextChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Why a change of this path is one of what programs act on, as a file system might match its names; undefined for an ordinary
 * file. With the texts, a change of package.json counts only if it may change what a package manager runs by itself.
 */
export function actingFile(path: string, change?: TextChange): string | undefined {
  const { names, isCertain } = foldPath(path);
  const file = names.at(-1) ?? '';
  const folders = names.slice(0, -1);
  const below = wordsOf(folders) ?? (folders.some(isHidden) ? HIDDEN : undefined);
  if (below !== undefined) return below;
  if (file === 'package.json' && keepsScripts(change)) return undefined;
  const known = WORDS.get(file);
  if (known !== undefined) return known;
  if (isHidden(file) && (folders.length === 0 || !isCertain)) return HIDDEN;
  return ENDINGS.find(([, ending]) => file.endsWith(ending))?.[0];
}

function wordsOf(names: readonly string[]): string | undefined {
  return names.map((name) => WORDS.get(name)).find((words) => words !== undefined);
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}

/**
 * The names of a path, folded as a file system does that ignores case, invisible characters or trailing dots. It is not certain
 * how deep a path lies that is absolute or goes up.
 */
function foldPath(path: string): { readonly names: readonly string[]; readonly isCertain: boolean } {
  const parts = foldText(path).split(/[/\\]/);
  const names = parts.map(foldName).filter((name) => name !== '');
  const isCertain =
    parts[0] !== '' && parts.every((part) => part === '.' || part === '' || /[^. ]/.test(part));
  return { names, isCertain };
}

/** Scripts that a package manager runs without being asked for them by name. */
const LIFECYCLE = /^(pre|post)|^(install|uninstall|prepare|prepack|publish|pack|dependencies|version)$/;
/** Fields of package.json that start nothing; any other may. */
const QUIET = new Set(
  `name version description keywords author contributors license homepage repository bugs funding private type main module
  browser types typings exports imports files bin man directories engines os cpu sideEffects publishConfig dependencies
  devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundleDependencies scripts`.split(
    /\s+/,
  ),
);

function keepsScripts(change: TextChange | undefined): boolean {
  if (change === undefined) return false;
  const [before, after] = [startedBy(change.before), startedBy(change.after)];
  return before !== undefined && before === after;
}

/** What the text of a package.json makes a package manager run by itself; undefined if that cannot be told. */
function startedBy(text: string | undefined): string | undefined {
  if (text === undefined) return '[[],[]]';
  try {
    const manifest = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { scripts = {} } = manifest;
    if (!isObject(manifest) || !isObject(scripts)) return undefined;
    const others = Object.entries(manifest).filter(([name]) => !QUIET.has(name));
    const started = Object.entries(scripts).filter(([name]) => LIFECYCLE.test(name));
    return JSON.stringify([started.sort(byName), others.sort(byName)]);
  } catch {
    return undefined;
  }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
