import { OkaError } from '../kernel/index.ts';
import type { ToolsErrorCode } from './errors.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables that Oka sets for every program, and variables that make a program load or run other code. */
const REFUSED: ReadonlySet<string> = new Set(
  [
    'PATH HOME TMPDIR',
    'IFS ENV PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS GCONV_PATH',
    'NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONBREAKPOINT',
    'PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYOPT RUBYLIB',
    'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS',
    'SSH_ASKPASS PAGER MANPAGER LESSOPEN LESSCLOSE EDITOR VISUAL BROWSER',
  ].flatMap((names) => names.split(' ')),
);
const REFUSED_PREFIXES = ['LD_', 'DYLD_', 'BASH_', 'GIT_', 'NPM_CONFIG_'];

/** The only variables of git that a call may set; all others can undo how Oka runs git. */
const GIT_IDENTITY = /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$/;

/** False for a variable that can make a program run other code. */
export function isAllowedVariable(name: string): boolean {
  const upper = name.toUpperCase();
  const isRefused = REFUSED.has(upper) || REFUSED_PREFIXES.some((prefix) => upper.startsWith(prefix));
  return NAME.test(name) && (!isRefused || GIT_IDENTITY.test(name));
}

export function refuseEnvironment(names: readonly string[]): void {
  for (const name of names) {
    if (isAllowedVariable(name)) continue;
    throw new OkaError<ToolsErrorCode>(
      'process.environment_refused',
      `The variable "${name}" is not allowed, because it can make a program run other code. Remove it.`,
      { data: { name } },
    );
  }
}
