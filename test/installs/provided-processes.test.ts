import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { toolEnvironment, toolFolders, WorkspaceInstaller } from '../../src/adapters/installs/index.ts';
import type { InstallSources } from '../../src/adapters/installs/machine.ts';
import { WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import { markFile } from '../../src/disk/index.ts';
import { Engine, MemoryArtifactStore, type Policy, type RunState } from '../../src/engine/index.ts';
import { compileGraph, graphKind, toStateGraph } from '../../src/graph/index.ts';
import { createRedactor, type Json, systemClock } from '../../src/kernel/index.ts';
import { builtInTools, MissingDependencies, type RecordedFile, withInstalls } from '../../src/tools/index.ts';
import type { MissingDependenciesOptions } from '../../src/tools/installs/missing-dependencies.ts';
import { SYSTEM_ENTRIES } from '../../src/tools/installs/system-entries.ts';
import { call, finish, makeEngine, plannerOf } from '../support/engine-kit.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildWheel } from './build-packages.ts';
import { fixtureRegistry } from './fixture-registry.ts';
import { freeLeases, recordOf, withoutPip } from './install-kit.ts';

const ALLOW: Policy = {
  version: 'test',
  decide: () => ({ decision: 'allow', rule: 'test', why: 'it is a test' }),
};

/** A workspace with everything that `process.run` and `environment.install` take. */
function workbench(
  options: { sources?: InstallSources; decide?: MissingDependenciesOptions['decide']; secret?: string } = {},
) {
  const root = tempFolder();
  const workspace = join(root, 'work');
  mkdirSync(workspace);
  const record = recordOf(workspace, join(root, 'home'));
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  };
  const clock = systemClock;
  const environment = { PATH: process.env['PATH'] };
  const { sources } = options;
  const installer = new WorkspaceInstaller({
    workspace,
    record,
    environment,
    sources,
    clock,
    owner: 'test',
    leases: freeLeases(),
  });
  const files = new WorkspaceFiles(workspace);
  const redactor = createRedactor();
  if (options.secret !== undefined) redactor.addSecret('secret', options.secret);
  const dependencies = new MissingDependencies({
    installer,
    files,
    redactor,
    decide: options.decide ?? (() => 'allow'),
    goalOf: async () => 'a goal\nof two lines',
  });
  const processes = withInstalls(
    new WorkspaceProcesses({
      workspace,
      toolFolders: toolFolders(workspace),
      installs: record.read,
      sandbox: 'auto',
      clock,
    }),
    { environment: () => toolEnvironment(workspace, record), dependencies },
  );
  const artifacts = new MemoryArtifactStore(clock);
  const capabilities = { files, artifacts, installer, processes, dependencies };
  const tools = builtInTools();
  const policy = ALLOW;
  const requirements = (): string => readFileSync(join(workspace, 'INSTALL_REQUIREMENTS.md'), 'utf8');

  /** Calls a tool once, in a run of its own. */
  const callTool = async (tool: string, input: Json): Promise<{ engine: Engine; run: RunState }> => {
    const planner = plannerOf(({ run, evidence }) =>
      run.step === 1 ? call(tool, input) : finish(evidence.at(-1)?.output ?? null),
    );
    const { engine } = makeEngine(planner, tools, { capabilities, artifacts, policy, clock: clock as never });
    return { engine, run: await engine.run({ kind: 'test', goal: 'test' }) };
  };
  const runGraph = async (nodes: readonly object[]): Promise<RunState> => {
    const engine = new Engine({ tools, kinds: [graphKind], capabilities, artifacts, policy, clock });
    const find = (name: string) => {
      const tool = tools.find((one) => one.name === name);
      return tool && { name, inputSchema: () => tool.input.json(), ...tool.annotations };
    };
    const directory = { find, names: () => tools.map(({ name }) => name) };
    const definition = defineGraph(nodes, { defaults: { max_retries: 0 } });
    const { graph, diagnostics } = compileGraph(definition, {
      tools: directory,
      graphs: { find: () => undefined },
    });
    if (graph === undefined) throw new Error(JSON.stringify(diagnostics));
    const stateGraph = await toStateGraph(graph, (used) => engine.storeGraph(used));
    return engine.run({ kind: 'graph', goal: 'test', graph: stateGraph, vars: { input: null } });
  };
  return { workspace, record, put, installer, requirements, callTool, runGraph };
}

const installsOf = async (engine: Engine) =>
  (await engine.parts.events.read('environment')).map(({ type, data }) => ({ type, ...data }));

/** A program of the catalogue that only root can install and that this machine does not have. */
function absentProgram(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const commands = SYSTEM_ENTRIES.flatMap((entry) => entry.commands);
  const absent = commands.find((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (absent === undefined) throw new Error('this machine has every program of the catalogue');
  return absent;
}

describe.skipIf(withoutPip)(`a missing Python module${withoutPip ? ` (skipped: ${withoutPip})` : ''}`, () => {
  it('is installed from the source that the person configured, the process runs again, and the install is recorded', async () => {
    const wheelFolder = join(tempFolder(), 'wheels');
    buildWheel(wheelFolder, {
      name: 'pyserial',
      version: '3.99',
      files: { 'serial/__init__.py': 'word = "leaf"\n' },
    });
    buildWheel(wheelFolder, {
      name: 'pyserial',
      version: '4.0',
      files: { 'serial/__init__.py': 'word = "too new"\n' },
    });
    const { put, callTool } = workbench({ sources: { wheelFolder } });
    put('a.py', 'import serial, os\nprint(serial.word, "VIRTUAL_ENV" in os.environ)\n');
    const { engine, run } = await callTool('process.run', { argv: ['python3', 'a.py'] });
    expect(run.failure).toBeUndefined();
    expect(run.output).toMatchObject({ exitCode: 0, stdout: 'leaf True\n' });
    expect(await installsOf(engine)).toEqual([
      {
        type: 'dependency.installed',
        ecosystem: 'python',
        package: 'pyserial',
        version: '3.99',
        integrity: expect.stringMatching(/^sha256:/),
        bins: [],
        dependencies: [],
        run: run.id,
        step: 1,
      },
    ]);
    const again = await callTool('process.run', { argv: ['python3', '-c', 'import serial.nothing'] });
    expect(again.run.output).toMatchObject({ exitCode: 1 });
    expect(await installsOf(again.engine)).toEqual([]);
  });
});

describe('a missing command', () => {
  it('is installed from the registry that the person configured, and the process runs again', async () => {
    const registry = await fixtureRegistry({
      name: 'uglify-js',
      version: '3.99.0',
      manifest: { bin: { uglifyjs: 'cli.js' } },
      files: { 'cli.js': "#!/usr/bin/env node\nconsole.log('ugly', process.argv[2]);\n" },
    });
    const { callTool } = workbench({ sources: { npmRegistry: registry.address } });
    const { engine, run } = await callTool('process.run', { argv: ['uglifyjs', 'a.js'] });
    expect(run.failure).toBeUndefined();
    expect(run.output).toMatchObject({ exitCode: 0, stdout: 'ugly a.js\n' });
    expect(await installsOf(engine)).toMatchObject([
      { package: 'uglify-js', version: '3.99.0', bins: ['uglifyjs'] },
    ]);
  });

  it('asks a person if policy asks, and stays missing if policy denies', async () => {
    const registry = await fixtureRegistry();
    const sources = { npmRegistry: registry.address };
    const asking = workbench({ sources, decide: () => 'ask' });
    const { run } = await asking.callTool('process.run', { argv: ['uglifyjs'] });
    expect(run.failure ?? run.evidence.at(-1)?.failure).toMatchObject({
      code: 'environment.install_needed',
      data: { ecosystem: 'node', package: 'uglify-js', missing: 'uglifyjs' },
    });
    const denying = workbench({ sources, decide: () => 'deny' });
    const denied = await denying.callTool('process.run', { argv: ['uglifyjs'] });
    expect(denied.run.failure ?? denied.run.evidence.at(-1)?.failure).toMatchObject({
      code: 'process.program_missing',
    });
    expect(registry.asked).toEqual([]);
  });

  it('that needs root is listed for a person, and a graph continues with its fallback', async () => {
    const { runGraph, requirements, put } = workbench({ secret: 'hush-hush-hush' });
    put('INSTALL_REQUIREMENTS.md', '# Ours\n\nWe keep this.\n');
    const program = absentProgram();
    const nodes = [
      { node_id: 'start', type: 'start', next: 'a' },
      {
        node_id: 'a',
        type: 'tool',
        tool: 'process.run',
        args: { argv: [program, '--token', 'hush-hush-hush'] },
        next: 'end',
        on_error: 'without',
      },
      { node_id: 'without', type: 'transform', expression: '{"done": "without it"}', next: 'end' },
      { node_id: 'end', type: 'end' },
    ];
    const run = await runGraph(nodes);
    expect(run.failure).toBeUndefined();
    expect(run.output).toEqual({ done: 'without it' });
    const text = requirements();
    expect(text.startsWith('# Ours\n\nWe keep this.\n\n')).toBe(true);
    expect(text).toContain(
      `## ${program}\n\n- status: open\n- blocking task: run ${run.id} (a goal of two lines), step `,
    );
    expect(text).toMatch(/RUN apt-get update && apt-get install -y --no-install-recommends \S+ &&/);
    expect(text).not.toContain('hush-hush-hush');

    await runGraph(nodes);
    expect(requirements().match(/^## /gm)).toHaveLength(1);
    expect(requirements().match(/^- blocking task: /gm)).toHaveLength(2);
  });

  it('that a person installed is marked as resolved when the process succeeds', async () => {
    const { callTool, requirements, put, workspace, record } = workbench();
    const program = absentProgram();
    await callTool('process.run', { argv: [program] });
    expect(requirements()).toContain('- status: open');
    // Stands for the image that a person has changed meanwhile.
    const name = `bin/${program}`;
    put(`.oka/tools/${name}`, '#!/bin/sh\necho here\n');
    chmodSync(join(workspace, '.oka', 'tools', name), 0o755);
    record.write({ [name]: markFile(join(workspace, '.oka', 'tools'), name) as RecordedFile });
    const { run } = await callTool('process.run', { argv: [program] });
    expect(run.output).toMatchObject({ stdout: 'here\n' });
    expect(requirements()).toContain('- status: resolved');
    expect(requirements()).not.toContain('- status: open');
  });
});

describe('a missing shared library', () => {
  it('is listed under its own name, and resolved when the same call succeeds', async () => {
    const { callTool, requirements, put } = workbench();
    const library = 'libokatest.so.7';
    put(
      'a.sh',
      `test -e there || { echo "a: error while loading shared libraries: ${library}: cannot open shared object file: No such file or directory" >&2; exit 127; }\n`,
    );
    const first = await callTool('process.run', { argv: ['sh', 'a.sh'] });
    expect(first.run.failure ?? first.run.evidence.at(-1)?.failure).toMatchObject({
      code: 'environment.needs_root',
    });
    expect(requirements()).toContain(`## ${library}\n\n- status: open`);
    expect(requirements()).toContain(`apt-file search ${library}`);
    await callTool('process.run', { argv: ['sh', '-e', 'a.sh'] });
    put('there', '');
    await callTool('process.run', { argv: ['sh', '-u', 'a.sh'] });
    expect(requirements()).toContain('- status: open');
    await callTool('process.run', { argv: ['sh', 'a.sh'] });
    expect(requirements()).toContain('- status: resolved');
  });
});

describe('an unreviewed dependency', () => {
  it.each([
    ['a module', ['node', '-e', "require('oka-unheard-of')"]],
    ['a command', ['oka-unheard-of']],
    ['a package that a project imports', ['node', '--input-type=module', '-e', "import 'chalk'"]],
  ])('%s is never installed by guessing', async (_, argv) => {
    const registry = await fixtureRegistry();
    const { callTool, workspace } = workbench({ sources: { npmRegistry: registry.address } });
    await callTool('process.run', { argv });
    expect(registry.asked).toEqual([]);
    expect(existsSync(join(workspace, 'INSTALL_REQUIREMENTS.md'))).toBe(false);
  });
});

describe('environment.install', () => {
  const LODASH = { name: 'lodash', version: '4.99.0', files: { 'index.js': 'module.exports = 4;\n' } };

  it('installs, reports what, is recorded once, and can be undone', async () => {
    const registry = await fixtureRegistry(LODASH);
    const { callTool, installer } = workbench({ sources: { npmRegistry: registry.address } });
    const input = { ecosystem: 'node', package: 'lodash' };
    const { engine, run } = await callTool('environment.install', input);
    expect(run.output).toEqual({
      package: 'lodash',
      version: '4.99.0',
      integrity: expect.stringMatching(/^sha512-/),
      bins: [],
      withheld: [],
      fresh: true,
    });
    expect(await installsOf(engine)).toHaveLength(1);
    const again = await callTool('environment.install', input);
    expect(again.run.output).toMatchObject({ fresh: false });
    expect(await installsOf(again.engine)).toEqual([]);

    await again.engine.undo(again.run.id, 'ann');
    expect(await installer.list()).toHaveLength(1);
    await engine.undo(run.id, 'ann');
    expect(await installer.list()).toEqual([]);
  });

  it('has medium risk for reviewed packages, and high risk for others', () => {
    const tool = builtInTools().find(({ name }) => name === 'environment.install');
    const risk = (input: unknown) => tool?.forInput?.(input)?.annotations.risk;
    expect(tool?.annotations.risk).toBe('high');
    expect(risk({ ecosystem: 'node', package: 'lodash' })).toBe('medium');
    expect(risk({ ecosystem: 'node', package: 'lodahs' })).toBe('high');
    expect(risk({ ecosystem: 'node', package: 'lodash', version: '3.0.0' })).toBe('high');
    expect(risk({ ecosystem: 'node', package: '../lodash' })).toBe('high');
  });
});
