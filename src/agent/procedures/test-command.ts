import { parseManifest } from '../package-manifest.ts';

/** Commands that goals name without quotes. */
const KNOWN =
  /(?:^|[\s(])((?:npm|pnpm|yarn|bun) (?:run )?tests?(?::[\w-]+)?|(?:npx )?(?:vitest run|vitest|jest)|node --test|(?:python3? -m )?pytest|go test(?: \.\/\.\.\.)?|cargo test|make (?:test|check)|deno test|mix test|tox)(?=$|[\s,.;:!?)])/i;
/** Characters that only a shell interprets. */
const SHELL_SIGNS = /[|&;<>$`\\\n]|\*\*/;

/** The command that a goal names without quotes. */
export function commandIn(text: string): string | undefined {
  return KNOWN.exec(text)?.[1];
}

/** The words of a command line; undefined when only a shell could run it. */
export function splitCommand(line: string): string[] | undefined {
  const trimmed = line.trim();
  if (trimmed === '' || SHELL_SIGNS.test(trimmed)) return undefined;
  if (/["']/.test(trimmed.replace(/"[^"]*"|'[^']*'/g, ''))) return undefined;
  const words = trimmed.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** The command that tests a project, from the names at its top, its package.json and its Makefile. */
export function guessCommand(
  names: readonly string[],
  manifest: string | undefined,
  makefile?: string,
): string[] | undefined {
  const has = (...wanted: readonly string[]): boolean => wanted.some((name) => names.includes(name));
  const scripts = new Map(parseManifest(manifest ?? '').scripts);
  const script = scripts.get('test');
  if (script !== undefined && !script.includes('no test specified')) return [runnerOf(has), 'test'];
  if (has('Cargo.toml')) return ['cargo', 'test'];
  if (has('go.mod')) return ['go', 'test', './...'];
  if (has('pytest.ini', 'conftest.py', 'pyproject.toml', 'tox.ini', 'setup.py')) return ['pytest'];
  if (has('Makefile', 'makefile', 'GNUmakefile') && /^(?:test|check)\s*:/m.test(makefile ?? ''))
    return ['make', /^test\s*:/m.test(makefile ?? '') ? 'test' : 'check'];
  return undefined;
}

function runnerOf(has: (...names: readonly string[]) => boolean): string {
  if (has('pnpm-lock.yaml')) return 'pnpm';
  if (has('yarn.lock')) return 'yarn';
  return has('bun.lockb', 'bun.lock') ? 'bun' : 'npm';
}
