import { describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import { MemoryArtifactStore, type RunState } from '../../src/engine/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import type { ProcessRequest, ProcessResult } from '../../src/tools/index.ts';
import { AgentWorkspace } from '../support/agent-workspace.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SUITE =
  "import { test } from 'node:test';\nimport { ok } from 'node:assert';\ntest('adds', () => ok(true));\ntest('takes away', () => ok(false));\n";

/** A workspace whose programs really run. */
function withPrograms(files: Readonly<Record<string, string>>): AgentWorkspace {
  const artifacts = new MemoryArtifactStore(systemClock);
  const root = tempFolder();
  const processes = new WorkspaceProcesses({
    workspace: root,
    toolFolders: [],
    sandbox: 'auto',
    clock: systemClock,
  });
  const workspace = new AgentWorkspace(
    {},
    { artifacts, capabilities: { files: new WorkspaceFiles(root), artifacts, processes } },
  );
  Object.defineProperty(workspace, 'root', { value: root });
  for (const [path, content] of Object.entries(files)) workspace.put(path, content);
  return workspace;
}

/** A workspace whose programs answer as told. */
function withAnswer(
  files: Readonly<Record<string, string>>,
  answer: Partial<ProcessResult>,
  asked: ProcessRequest[] = [],
) {
  const root = tempFolder();
  const artifacts = new MemoryArtifactStore(systemClock);
  const run = async (request: ProcessRequest): Promise<ProcessResult> => {
    asked.push(request);
    return {
      exitCode: 0,
      signal: null,
      stdout: '',
      stderr: '',
      truncated: false,
      sandbox: 'none',
      ...answer,
    };
  };
  const processes = { sandbox: { kind: 'none' }, identify: async () => [], find: async () => undefined, run };
  const workspace = new AgentWorkspace(
    {},
    { artifacts, capabilities: { files: new WorkspaceFiles(root), artifacts, processes } },
  );
  Object.defineProperty(workspace, 'root', { value: root });
  for (const [path, content] of Object.entries(files)) workspace.put(path, content);
  return workspace;
}

async function decided(
  workspace: AgentWorkspace,
  run: RunState,
  kind: 'approve' | 'deny' = 'approve',
): Promise<RunState> {
  if (run.waiting?.for !== 'approval') throw new Error(`the run waits for no approval: ${run.state}`);
  await workspace.engine.decide(run.waiting.id, { kind }, 'tester');
  return workspace.engine.resume(run.id);
}

describe('running tests', () => {
  it('asks before it runs them, and reports which failed', async () => {
    const workspace = withPrograms({ 'a.test.mjs': SUITE });
    const asked = await workspace.pursue('run `node --test` and write the failing tests to report.md');
    expect(asked.state).toBe('act');
    const run = await decided(workspace, asked);
    expect(run.failure).toBeUndefined();
    expect(run.output).toMatchObject({
      succeeded: false,
      exitCode: 1,
      passed: 1,
      failed: 1,
      failures: ['takes away'],
    });
    expect(workspace.text('report.md')).toContain('## Failing tests\n\n- `takes away`\n');
    expect(await workspace.retell(run)).toMatchObject({
      states: ['intake', 'explore', 'decide', 'act', 'validate', 'done'],
      differences: [],
    });
  });

  it('does nothing when a person refuses', async () => {
    const asked: ProcessRequest[] = [];
    const workspace = withAnswer({}, {}, asked);
    const run = await workspace.pursue('run npm test');
    expect((await decided(workspace, run, 'deny')).ended?.status).toBe('failed');
    expect(asked).toEqual([]);
  });

  it.each([
    [{ 'package.json': '{"scripts":{"test":"vitest run"}}' }, ['npm', 'test']],
    [{ 'package.json': '{"scripts":{"test":"x"}}', 'pnpm-lock.yaml': '' }, ['pnpm', 'test']],
    [
      { 'package.json': '{"scripts":{"test":"echo no test specified"}}', 'go.mod': 'module m' },
      ['go', 'test', './...'],
    ],
    [{ 'Cargo.toml': '' }, ['cargo', 'test']],
    [{ 'pyproject.toml': '' }, ['pytest']],
  ])('finds the command in the folder: %o', async (files, argv) => {
    const asked: ProcessRequest[] = [];
    const workspace = withAnswer(files, { stdout: 'fine' }, asked);
    const run = await decided(workspace, await workspace.pursue('run the tests'));
    expect(asked).toMatchObject([{ argv }]);
    expect(run.output).toMatchObject({ succeeded: true, format: 'unknown', failures: [] });
    expect((await workspace.retell(run)).differences).toEqual([]);
  });

  it('runs in the folder that is named', async () => {
    const asked: ProcessRequest[] = [];
    const workspace = withAnswer({ 'packages/core/go.mod': '' }, {}, asked);
    await decided(workspace, await workspace.pursue('run the tests in packages/core'));
    expect(asked).toMatchObject([{ argv: ['go', 'test', './...'], cwd: 'packages/core' }]);
  });

  it('asks for the command when the folder has none, and refuses one for a shell', async () => {
    const asked: ProcessRequest[] = [];
    const workspace = withAnswer({}, {}, asked);
    await decided(workspace, await workspace.pursue('run the tests', 'make "all tests"'));
    expect(asked).toMatchObject([{ argv: ['make', 'all tests'] }]);
    const piped = await workspace.pursue('run the tests', 'make test | tail');
    expect(piped).toMatchObject({ failure: { code: 'agent.answer_not_usable' } });
    expect(piped.failure?.message).toContain('cannot be run without a shell');
  });

  it('shows the end of an output in an unknown format', async () => {
    const stderr = `${'line\n'.repeat(50_000)}\u001b[31mthe end\u001b[0m\n`;
    const workspace = withAnswer({}, { exitCode: 2, stderr });
    const run = await decided(workspace, await workspace.pursue('run npm test'));
    expect(run.output).toMatchObject({
      succeeded: false,
      exitCode: 2,
      report: expect.stringContaining('line\nthe end\n```'),
      leftOut: [expect.stringContaining('names of failing tests')],
    });
    expect((await workspace.retell(run)).differences).toEqual([]);
  });
});
