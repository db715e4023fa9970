import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { toolFolders } from '../../src/adapters/installs/index.ts';
import { WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import {
  GrantFiles,
  openInstallRecord,
  openKnownPrograms,
  WorkspaceFolder,
} from '../../src/adapters/workspace/index.ts';
import {
  type ApprovalDecision,
  type EngineOptions,
  MemoryArtifactStore,
  type RunState,
  statusOf,
  type Tool,
} from '../../src/engine/index.ts';
import { type Json, systemClock } from '../../src/kernel/index.ts';
import { compilePolicy } from '../../src/policy/index.ts';
import { builtInTools, type Processes } from '../../src/tools/index.ts';
import { call, finish, makeEngine, openApproval, plannerOf } from '../support/engine-kit.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface KitOptions {
  /** The rows of the user's policy. */
  readonly rows?: readonly string[];
  readonly sandbox?: 'auto' | 'off';
  /** The folder around the workspace, to open an existing one. */
  readonly around?: string;
  readonly clock?: ManualClock;
  /** Programs work on drafts. */
  readonly drafts?: boolean;
  /** The run has read untrusted content. */
  readonly untrusted?: boolean;
  /** Another engine whose runs this one continues. */
  readonly stores?: Required<Pick<EngineOptions, 'events' | 'runs'>>;
  /** Tools as in versions that bound calls to their arguments only. */
  readonly unbound?: boolean;
  /** Does something between the last check of the decision chain and the start of the program. */
  readonly beforeStart?: () => void;
}

type Approve = Partial<Extract<ApprovalDecision, { kind: 'approve' }>>;

/** A workspace with an id, a user folder, and an engine that starts real programs. */
export function programsKit(options: KitOptions = {}) {
  const around = options.around ?? tempFolder();
  const [workspace, home] = [join(around, 'work'), join(around, 'home')];
  mkdirSync(workspace, { recursive: true });
  const folder = new WorkspaceFolder(workspace);
  folder.create();
  const identity = folder.identity();
  const clock = options.clock ?? new ManualClock();
  const record = openInstallRecord(home, identity);
  const grants = new GrantFiles(home, identity, clock);
  const processes = new WorkspaceProcesses({
    workspace,
    toolFolders: toolFolders(workspace),
    installs: record.read,
    sandbox: options.sandbox ?? 'auto',
    clock: systemClock,
    ...(options.drafts && { drafts: join(home, 'drafts') }),
  });
  const watched: Processes = {
    get sandbox() {
      return processes.sandbox;
    },
    get drafts() {
      return processes.drafts;
    },
    openDraft: (key) => processes.openDraft(key),
    identify: (request, part) => processes.identify(request, part),
    find: (request) => processes.find(request),
    run: (request, signal) => {
      options.beforeStart?.();
      return processes.run(request, signal);
    },
  };
  const artifacts = new MemoryArtifactStore(clock);
  const rows = options.rows ?? [];
  const text = `| match | decision | why |\n|---|---|---|\n${rows.map((row) => `${row}\n`).join('')}`;
  const planner = plannerOf(({ evidence, vars }) =>
    evidence.length === 0
      ? call('process.run', vars['input'])
      : finish({ output: evidence.at(-1)?.output ?? null, failure: evidence.at(-1)?.failure ?? null }),
  );
  const tools = builtInTools().map(
    ({ binds, ...tool }): Tool => (binds === undefined || options.unbound ? tool : { ...tool, binds }),
  );
  const { engine } = makeEngine(planner, tools, {
    ...(options.stores && { events: options.stores.events, runs: options.stores.runs }),
    clock,
    grants,
    programs: openKnownPrograms(home, identity, clock),
    artifacts,
    capabilities: { processes: watched, files: new WorkspaceFiles(workspace), artifacts },
    ...(rows.length === 0 ? {} : { policy: compilePolicy({ user: { file: 'POLICY.md', text }, workspace }) }),
  });

  const put = (path: string, content: string, mode?: number): string => {
    const file = join(around, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (mode !== undefined) chmodSync(file, mode);
    return file;
  };
  /** Prepends a folder to the PATH, like a person's own programs. */
  const addToPath = (path: string): void => {
    vi.stubEnv('PATH', `${path}:${process.env['PATH']}`);
    onTestFinished(() => void vi.unstubAllEnvs());
  };
  const start = (input: Json): Promise<RunState> =>
    engine.run({
      ...{ kind: 'test', goal: 'test', vars: { input } },
      ...(options.untrusted && { untrusted: true }),
    });
  /** Approves the open request, and continues its run. */
  const approve = async (decision: Approve = {}, beforeResume?: () => void): Promise<RunState> => {
    const approval = await openApproval(engine);
    await engine.decide(approval.id, { kind: 'approve', ...decision }, 'ann');
    beforeResume?.();
    return engine.resume(approval.run);
  };
  /** Starts a call, and approves it with `remember`. */
  const remember = async (input: Json, how: 'exact' | 'tool' = 'tool'): Promise<RunState> => {
    await start(input);
    return approve({ remember: how });
  };
  /** Whether a call asks a person; denies its request. */
  const asks = async (input: Json): Promise<boolean> => {
    const run = await start(input);
    if (statusOf(run) !== 'waiting') return false;
    await engine.decide((await openApproval(engine)).id, { kind: 'deny' }, 'ann');
    await engine.resume(run.id);
    return true;
  };
  return {
    around,
    workspace,
    home,
    identity,
    clock,
    engine,
    grants,
    record,
    processes,
    put,
    addToPath,
    start,
    approve,
    remember,
    asks,
  };
}

/** What a finished run printed. */
export function printed(run: RunState): unknown {
  return (run.output as { output?: { stdout?: string } } | undefined)?.output?.stdout;
}

/** Why tests of remembered approvals cannot run on this machine, if they cannot. */
export const withoutSandbox: string | undefined = new WorkspaceProcesses({
  workspace: process.cwd(),
  toolFolders: [],
  sandbox: 'auto',
  clock: systemClock,
}).sandbox.why;
