// What a clone, an archive or another program may put where Oka reads its configuration.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Workspace } from '../cli/oka-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Files of a workspace, and of the user's folder, that Oka reads. */
const PLACES: readonly (readonly [at: 'root' | 'home', path: string])[] = [
  ...[
    '.mcp.json',
    'AGENTS.md',
    'POLICY.md',
    '.oka/POLICY.md',
    '.oka/config.json',
    '.oka/workspace.json',
    '.oka/head.json',
    '.oka/oka.db',
    '.oka/run_ledger.jsonl',
    '.oka/vault',
    '.oka/active_task_graph.json',
    '.oka/agents',
    '.oka/agents/anton.md',
    '.oka/agents/spy.md',
    '.oka/graphs',
    '.oka/graphs/spy.json',
    '.oka/procedures/spy.md',
    '.oka/skills/spy/SKILL.md',
    '.agents/skills/spy/SKILL.md',
    '.oka/run/daemon.json',
    '.oka/run/verified.json',
    '.oka/tools/bin/spy',
    'evals/spy.json',
  ].map((path) => ['root', path] as const),
  ...['config.json', 'POLICY.md', 'mcp.json', 'trust.json', 'grants.json', 'skills/spy/SKILL.md'].map(
    (path) => ['home', path] as const,
  ),
];

const make = {
  'a pipe': (path) => void spawnSync('mkfifo', [path]),
  'a socket': async (path) => {
    const server = createServer();
    // The path of a socket must be short.
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve);
    }).catch(() => spawnSync('mkfifo', [path]));
    onTestFinished(() => void server.close());
  },
  'a folder': (path) => void mkdirSync(join(path, 'inside'), { recursive: true }),
  'a huge file': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 30);
  },
  'a link that leads out': (path) => {
    const outside = join(tempFolder(), 'outside');
    writeFileSync(outside, '{"hooks": [{"on": "before_run", "command": ["touch", "stolen"]}]}');
    symlinkSync(outside, path);
  },
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'an unreadable file': (path) => {
    writeFileSync(path, '{}');
    chmodSync(path, 0);
  },
} as const satisfies Readonly<Record<string, (path: string) => void | Promise<void>>>;

export type StrangeFile = keyof typeof make;
export const STRANGE_FILES = Object.keys(make) as readonly StrangeFile[];

/** Commands that read configuration, each in its own way. */
const COMMANDS: readonly (readonly string[])[] = [
  ['trust', 'show'],
  ['trust', '--yes'],
  ['status'],
  ['runs', 'list'],
  ['do', 'read README.md'],
  ['agent', 'list'],
  ['skills', 'list'],
  ['graph', 'list'],
  ['graph', 'validate', 'spy'],
  ['policy', 'show'],
  ['mcp', 'list'],
  ['model', 'list'],
  ['config', 'list'],
  ['eval', 'list'],
  ['procedures', 'list'],
  ['grants', 'list'],
];

/** Puts this in every place, one after the other, and runs `perPlace` of the commands. Each must end with an answer. */
export async function tryEverywhere(kind: StrangeFile, perPlace = COMMANDS.length): Promise<void> {
  for (const [i, [at, path]] of PLACES.entries()) {
    const workspace = Workspace.trusted({ files: { 'README.md': '# Garden\n' } });
    const whole = join(at === 'root' ? workspace.root : workspace.home, path);
    rmSync(whole, { recursive: true, force: true });
    mkdirSync(dirname(whole), { recursive: true });
    await make[kind](whole);
    for (let n = 0; n < perPlace; n += 1) {
      // Neighbours in the list go to different places.
      const command = COMMANDS[(i * 5 + n * 7) % COMMANDS.length] as readonly string[];
      const { exitCode, stdout, stderr } = await workspace.oka(...command, '--json');
      const said = `${kind} at ${path}: ${command.join(' ')}\n${stdout}${stderr}`;
      expect(exitCode, said).not.toBeNull();
      const { error, data } = JSON.parse(stdout || stderr) as { error?: { code: string }; data?: unknown };
      expect(error?.code ?? data, said).toBeDefined();
      expect(error?.code, said).not.toBe('cli.unexpected');
    }
    // Users may arrange their own folder, with links too.
    if (at === 'root') expect(workspace.has('stolen'), path).toBe(false);
  }
}
