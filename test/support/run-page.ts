// Runs the shell blocks of a page of the documentation as they are written, from top to bottom in one shell. In a block
// `<run>` is the newest run and `<approval>` the newest approval; a line that begins with `#>` is what the command above it
// prints, `…` being anything; `# … exits with 4` is the exit code of its line. A block `sh skip: <reason>` does not run, a
// block `json file=<path>` is written to that file, and the lines of a comment that begins with `<!-- setup` run unseen.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Watched } from '../cli/oka-process.ts';
import { tempFolder } from './temp-folder.ts';

export interface PageStep {
  /** The line in the page. */
  readonly line: number;
  readonly script: string;
  /** Lines that it prints, as patterns. */
  readonly shown: readonly string[];
}

interface Block {
  readonly info: string;
  readonly line: number;
  readonly text: string;
}

const BLOCK = /^```([^\n]*)\n(.*?)^```$|^<!-- (setup)\n(.*?)^-->$/gms;
const SHOWN = '#> ';
const EXIT_CODE = /#.*\bexits with (\d+)/;

function blocksIn(page: string): readonly Block[] {
  return Array.from(page.matchAll(BLOCK), (found) => ({
    info: found[1] ?? found[3] ?? '',
    line: page.slice(0, found.index).split('\n').length + 1,
    text: found[2] ?? found[4] ?? '',
  }));
}

/** The blocks of commands that do not run, with the reasons. */
export function skippedBlocks(page: string): readonly string[] {
  return blocksIn(page)
    .filter(({ info }) => /^sh skip:/.test(info))
    .map(({ info }) => info.slice('sh skip:'.length).trim());
}

/** Blocks that have commands of Oka but no language, so that nothing would run them. */
export function unmarkedBlocks(page: string): readonly number[] {
  return blocksIn(page)
    .filter(({ info, text }) => info === '' && /^(npx )?oka /m.test(text))
    .map(({ line }) => line);
}

export function stepsIn(page: string): readonly PageStep[] {
  return blocksIn(page).flatMap(({ info, line, text }) => {
    const [, file] = /^json file=(\S+)$/.exec(info) ?? [];
    if (file !== undefined) return [{ line, script: writing(file, text), shown: [] }];
    return info === 'sh' || info === 'setup' ? stepsOfBlock(line, text) : [];
  });
}

function writing(file: string, text: string): string {
  return `mkdir -p "$(dirname '${file}')"\ncat > '${file}' <<'END-OF-FILE'\n${text}END-OF-FILE\n`;
}

/** A step ends where the page shows its output, so that the output belongs to one step. */
function stepsOfBlock(start: number, text: string): readonly PageStep[] {
  const steps: { line: number; script: string; shown: string[] }[] = [];
  let isNew = true;
  for (const [i, line] of text.split('\n').entries()) {
    if (line.startsWith(SHOWN)) {
      steps.at(-1)?.shown.push(line.slice(SHOWN.length));
      isNew = true;
    } else if (line !== '' || !isNew) {
      if (isNew) steps.push({ line: start + i, script: '', shown: [] });
      isNew = false;
      const step = steps.at(-1) as { script: string };
      step.script += `${withExitCode(line)}\n`;
    }
  }
  return steps;
}

function withExitCode(line: string): string {
  const [, code] = EXIT_CODE.exec(line) ?? [];
  return code === undefined ? line : `code=0; { ${line}\n} || code=$?; [ "$code" -eq ${code} ]`;
}

/** Values for the placeholders that a person would look up. */
const PRELUDE = `
set -eo pipefail
exec 8>"$STEPS/trace"
BASH_XTRACEFD=8
npx() { shift; oka "$@"; }
newest() { oka "$@" --json | node -e 'process.stdin.on("data", (text) => { const found = Object.values(JSON.parse(text).data)[0]; console.log(found.find(({ kind }) => kind !== "maintenance")?.id ?? ""); })'; }
end_processes() {
  set +ex
  for record in $(find "$HOME" "$START" -path '*/.oka/run/*.json' 2>/dev/null | tr ' ' '?'); do
    pid=$(node -e 'console.log(JSON.parse(require("fs").readFileSync(process.argv[1])).pid ?? "")' "$record" 2>/dev/null)
    [ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
  done
}
trap end_processes EXIT
set -x
`;

function scriptOf(steps: readonly PageStep[]): string {
  const parts = steps.map(({ script }, i) => {
    const found = script
      .replaceAll('<run>', '"$(newest runs list)"')
      .replaceAll('<approval>', '"$(newest approvals list)"');
    return `echo ${i} > "$STEPS/reached"\n{\n${found}\n} > "$STEPS/${i}.out" 2> "$STEPS/${i}.err" < /dev/null\n`;
  });
  return PRELUDE + parts.join('');
}

/** A pattern for a line that the page shows with `…` in place of varying text. */
function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`, 'm');
}

export interface PagePlace {
  /** Folders with the programs that a person has, the one with `oka` first. */
  readonly path: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Files in the folder in which the page starts. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs the steps with an empty home, in an empty folder, and checks what they print. */
export async function runSteps(steps: readonly PageStep[], place: PagePlace): Promise<void> {
  const [start, home, folder] = [tempFolder('oka page-'), tempFolder('oka home-'), tempFolder('oka steps-')];
  for (const [path, content] of Object.entries(place.files ?? {})) {
    mkdirSync(join(start, path, '..'), { recursive: true });
    writeFileSync(join(start, path), content);
  }
  const env = { PATH: place.path, HOME: home, START: start, STEPS: folder, ...place.env };
  const shell = new Watched(['bash', '-c', scriptOf(steps)], { cwd: start, env });
  const { exitCode, stderr } = await shell.ended;
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  if (exitCode !== 0) {
    const reached = Number(read('reached'));
    const last = read('trace').trimEnd().split('\n').slice(-3).join('\n');
    expect.fail(
      `line ${steps[reached]?.line}: exit code ${exitCode}\n${last}\n${read(`${reached}.out`).slice(-2_000)}${read(`${reached}.err`).slice(-2_000)}${stderr}`,
    );
  }
  for (const [i, { line, shown }] of steps.entries())
    for (const each of shown) expect(read(`${i}.out`), `line ${line}`).toMatch(patternOf(each));
}
