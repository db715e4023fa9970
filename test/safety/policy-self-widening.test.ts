import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import { isServed, OPERATIONS, type OperationName } from '../../src/api/operations.ts';
import { MemoryArtifactStore, type RunId, type ToolContext } from '../../src/engine/index.ts';
import { createRedactor, type JsonObject, systemClock } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { policyOf } from '../policy/good-policies.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The operations through which a person gives rights. Only the person's own command line reaches them, see below. */
const GIVES_RIGHTS: readonly string[] = ['approvals.approve'];

/** `here` operations that change rights run only in the process of the person's command. */
const HERE_GIVES_RIGHTS: readonly string[] = [
  ...[
    'init',
    'mcp.add',
    'mcp.remove',
    'models.use',
    'models.setPrice',
    'models.add',
    'models.setDefault',
    'models.remove',
    'backup.restore',
  ],
  ...[
    'trust.approve',
    'trust.revoke',
    'graphs.save',
    'graphs.patch',
    'graphs.schedules.add',
    'graphs.schedules.enable',
  ],
  ...['vault.add', 'vault.revoke', 'vault.rotate', 'vault.rotateKey'],
];

/** All other `here` operations. A new one needs a decision: into this list, or into the one above. */
const HERE_OTHERS: readonly string[] =
  'graphs.schedules.loop models.configured models.list models.offerOnce models.offered models.providers models.test memory.reindex memory.importLines chat.host maintenance.loop replication.status replication.once replication.verify replication.follow backup.create backup.verify evals.add evals.list evals.show evals.run evals.update grants.list grants.revoke vault.list vault.show vault.reveal vault.uses vault.unlock mcp.list mcp.test policy.check policy.show policy.explain serving.overStreams serving.overHttp skills.list skills.show skills.check agents.list agents.show agents.create agents.check ledger.verify ledger.repair ledger.rebuild ledger.stats ledger.copy trust.list trust.show doctor release close'.split(
    ' ',
  );

/** Names of files that hold rights, in the workspace. */
const PROTECTED = [
  '.oka/config.json',
  '.oka/POLICY.md',
  '.oka/workspace.json',
  'POLICY.md',
  '.mcp.json',
  '.git/config',
  '.git/hooks/pre-commit',
];

function places() {
  const around = tempFolder('oka-widen-');
  const [workspace, home] = [join(around, 'work'), join(around, 'home')];
  for (const folder of [join(workspace, '.oka'), join(workspace, '.git/hooks'), home])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(workspace, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(workspace, '.git/config'), '');
  writeFileSync(join(workspace, 'POLICY.md'), policyOf('| `files.delete` | deny | keep |'));
  writeFileSync(join(workspace, '.mcp.json'), '{"mcpServers":{}}');
  writeFileSync(join(workspace, '.oka/config.json'), '{"limits":{"steps":50}}');
  writeFileSync(join(home, 'config.json'), '{"limits":{"steps":100},"sandbox":"required"}');
  writeFileSync(join(home, 'POLICY.md'), policyOf('| `* and any input` | allow | the widest row there is |'));
  return { workspace, home };
}

/** The digests of everything that holds rights: the user's folder, and the protected files of the workspace. */
function rights(workspace: string, home: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const add = (path: string): void => {
    if (!existsSync(path)) found[path] = 'absent';
    else if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) add(join(path, name));
    else found[path] = createHash('sha256').update(readFileSync(path)).digest('hex');
  };
  for (const name of ['trust.json', 'grants.json', 'server-approvals.json', 'config.json', 'POLICY.md'])
    add(join(home, name));
  for (const name of [...PROTECTED, '.git/hooks']) add(join(workspace, name));
  return found;
}

/** Arguments that name protected files in every field that an operation may have. */
function argumentsAt(path: string, content: string): readonly (readonly unknown[])[] {
  const fields = {
    ...{
      path,
      file: path,
      from: path,
      to: path,
      target: path,
      folder: path,
      name: path,
      id: path,
      graph: path,
      node: path,
    },
    ...{
      content,
      text: content,
      input: { path, content },
      definition: { id: path },
      patch: [],
      tool: 'files.write',
    },
    ...{
      goal: `write "${content}" to ${path}`,
      model: 'none',
      budgets: { steps: 1_000_000, cost_usd: 1_000_000 },
      simulate: false,
    },
    ...{
      vars: {},
      by: 'agent',
      agent: 'agent',
      type: 'x',
      patienceMs: 0,
      schedule: '* * * * *',
      remember: 'tool',
      limit: 1,
    },
  };
  return [[], [path], [fields], [path, fields], [path, content]];
}

it('each operation that a daemon serves, with arguments that name them, changes no rights', async () => {
  const { workspace, home } = places();
  const oka = new Oka({ workspace, home });
  await oka.init({ trust: true });
  const before = rights(workspace, home);
  const methodOf = (name: string): ((...input: readonly unknown[]) => unknown) => {
    const steps = name.split('.');
    const last = steps.pop() as string;
    const owner = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], oka);
    const method = (owner as Record<string, (...given: unknown[]) => unknown>)[last];
    return (...input) => method?.apply(owner, [...input]);
  };
  const served = (Object.keys(OPERATIONS) as OperationName[]).filter(
    (name) => isServed(name) && !GIVES_RIGHTS.includes(name),
  );
  expect(served.length).toBeGreaterThan(60);
  const endless = new Set<string>(['chat.follow', 'ledger.tail', 'context.watch']);
  const widened = '{"sandbox":"off","limits":{"steps":1000000}}';
  try {
    for (const name of served) {
      if (endless.has(name)) continue;
      for (const path of [join(home, 'config.json'), '.oka/config.json', 'POLICY.md'])
        for (const input of argumentsAt(path, widened)) {
          try {
            await methodOf(name)(...input);
          } catch {
            // Most arguments do not fit.
          }
        }
      expect([name, rights(workspace, home)]).toEqual([name, before]);
    }
  } finally {
    await oka.close();
  }
});

it('each operation has a decision: those that give rights are not served, but for the answer to an approval', () => {
  const named = [...GIVES_RIGHTS, ...HERE_GIVES_RIGHTS];
  for (const name of named) expect(Object.keys(OPERATIONS)).toContain(name);
  for (const name of HERE_GIVES_RIGHTS) expect([name, isServed(name)]).toEqual([name, false]);
  const here = Object.keys(OPERATIONS).filter((name) => !isServed(name));
  expect(here.sort()).toEqual([...HERE_GIVES_RIGHTS, ...HERE_OTHERS].sort());
});

/** Other spellings of protected names, and ways through links. */
function spellings(workspace: string): readonly string[] {
  symlinkSync('.oka', join(workspace, 'linked'));
  symlinkSync('.git', join(workspace, 'repository'));
  symlinkSync('POLICY.md', join(workspace, 'rules.md'));
  symlinkSync('../home', join(workspace, 'own'));
  mkdirSync(join(workspace, 'docs'));
  symlinkSync('../linked', join(workspace, 'docs/chain'));
  return [
    ...PROTECTED,
    ...[
      '.OKA/config.json',
      '.Oka/config.json',
      'policy.md',
      'Policy.MD',
      '.MCP.json',
      '.GIT/config',
      'POLICY.md.',
      'POLICY.md ',
      '.oka./config.json',
    ],
    ...[
      '.o\u200bka/config.json',
      'POLICY\u00ad.md',
      '.ｏka/config.json',
      '.mcp.jso\uff4e',
      './.oka/config.json',
      'docs/../.oka/config.json',
      '.oka//config.json',
    ],
    ...[
      'linked/config.json',
      'linked/new.json',
      'docs/chain/config.json',
      'repository/config',
      'repository/hooks/pre-commit',
      'rules.md',
      'own/config.json',
      'own/trust.json',
    ],
    ...[
      '../home/config.json',
      '../home/trust.json',
      '../home/grants.json',
      join(workspace, '.oka/config.json'),
      join(workspace, '../home/POLICY.md'),
    ],
  ];
}

it('no built-in tool writes what holds rights, under any spelling and through links', async () => {
  const { workspace, home } = places();
  const files = new WorkspaceFiles(workspace);
  const artifacts = new MemoryArtifactStore(systemClock);
  const context: ToolContext = {
    runId: 'run' as RunId,
    step: 1,
    signal: new AbortController().signal,
    idempotencyKey: 'run/1',
    capabilities: { files, artifacts },
    emitArtifact: (content, about) => artifacts.put(content, about),
    record: () => undefined,
    charge: () => undefined,
    redactor: createRedactor(),
    now: () => 0,
  };
  const tools = builtInTools().filter(({ name }) => name !== 'process.run');
  const paths = spellings(workspace);
  const before = rights(workspace, home);
  const names = readdirSync(join(workspace, '.oka'));
  writeFileSync(join(workspace, 'mine.txt'), 'x');
  for (const tool of tools)
    for (const path of paths) {
      const inputs: readonly JsonObject[] = [
        {
          path,
          content: 'widened',
          file: path,
          folder: path,
          node: path,
          type: 'x',
          agent: 'a',
          text: 'x',
          key: path,
          value: 'x',
          old: '',
          new: 'x',
          all: true,
        },
        { from: 'mine.txt', to: path },
        { from: path, to: 'taken.txt' },
      ];
      for (const input of inputs)
        for (const act of [tool.preimage, tool.handler]) {
          try {
            await act?.(input, context);
          } catch {
            // Refused, or other fields are needed.
          }
        }
      expect([tool.name, path, rights(workspace, home)]).toEqual([tool.name, path, before]);
    }
  expect(readdirSync(join(workspace, '.oka'))).toEqual(names);
});

const { kind, why } = new WorkspaceProcesses({
  workspace: '.',
  toolFolders: [],
  sandbox: 'auto',
  clock: systemClock,
}).sandbox;

it.skipIf(kind === 'none')(
  `no program in the sandbox writes what holds rights${kind === 'none' ? ` (skipped: ${why})` : ''}`,
  async () => {
    const { workspace, home } = places();
    const paths = spellings(workspace);
    const before = rights(workspace, home);
    writeFileSync(
      join(workspace, 'attack.mjs'),
      `import { appendFileSync, renameSync, rmSync, unlinkSync, linkSync } from 'node:fs';
     for (const path of ${JSON.stringify([...paths, join(home, 'config.json'), join(home, 'trust.json')])})
       for (const act of [
         () => appendFileSync(path, 'widened'),
         () => renameSync(path, 'stolen'),
         () => unlinkSync(path),
         () => rmSync(path, { force: true }),
         () => { linkSync(path, 'hard'); appendFileSync('hard', 'widened'); },
       ]) try { act(); } catch {}
     for (const folder of ['.oka', '.git/hooks']) try { renameSync(folder, folder + '-gone'); } catch {}`,
    );
    const processes = new WorkspaceProcesses({
      workspace,
      toolFolders: [],
      sandbox: 'auto',
      clock: systemClock,
      hidden: [home],
    });
    const result = await processes.run(
      { argv: ['node', 'attack.mjs'], timeoutMs: 60_000 },
      new AbortController().signal,
    );
    expect(result.exitCode).toBe(0);
    const after = rights(workspace, home);
    // Links of the test may be replaced; what they lead to may not.
    expect(after).toEqual(before);
  },
);
