import { join } from 'node:path';
import { WorkspaceFiles } from '../../adapters/files/index.ts';
import { openHostProxy } from '../../adapters/http/index.ts';
import type { ServerCheck } from '../../adapters/postgres/index.ts';
import { probeDrafts, tryEscapes } from '../../adapters/processes/index.ts';
import { NEWEST_SCHEMA, requireSafeSqlite, sqliteVersion } from '../../adapters/sqlite/index.ts';
import type { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { DoctorAnswer, VerifyAnswer } from '../../api/index.ts';
import type { OkaConfig } from '../../config/index.ts';
import type { BackendHealth, Engine } from '../../engine/index.ts';
import { type Clock, explainSystemError, isOkaError, OkaError } from '../../kernel/index.ts';
import type { AgentModelDirectory } from '../agents/agent-models.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { WorkspaceTrust } from '../trust/workspace-trust.ts';
import { openProcesses } from './open-processes.ts';
import { INSTALL_BUBBLEWRAP } from './require-sandbox.ts';

const MIN_FREE_BYTES = 200 * 1024 * 1024;
type Check = DoctorAnswer['checks'][number];

export interface ExaminedParts {
  readonly version: string;
  readonly folder: WorkspaceFolder;
  readonly trust: WorkspaceTrust;
  readonly trusted: () => boolean;
  /** What the user has not approved, so that it does not act. */
  readonly withheld: () => Promise<readonly string[]>;
  /** The ledger, or why it cannot be opened or reached; undefined outside a workspace. */
  readonly ledger: OpenLedger | OkaError | undefined;
  readonly verify: () => Promise<VerifyAnswer>;
  readonly engine: () => Promise<Engine | undefined>;
  readonly config: () => Promise<OkaConfig>;
  readonly models: () => Promise<AgentModelDirectory>;
  /** Calls a model and returns how long it took; undefined if models are not to be called. */
  readonly askModel: ((name: string) => Promise<number>) | undefined;
  /** The server of the ledger, if it is on one and answered. */
  readonly server: ServerCheck | undefined;
  /** Asks the cluster that executes runs; undefined if this machine executes them. */
  readonly cluster: () => Promise<(() => Promise<BackendHealth>) | undefined>;
  readonly clock: Clock;
  /** The process of the daemon, if one runs. */
  readonly daemon: number | undefined;
  /** The user's folder. */
  readonly home: string;
  /** Whether to try to leave the sandbox. */
  readonly triesEscapes: boolean;
}

/** Checks installation, workspace and models. What fails is a failed check, and the others follow. */
export async function examineMachine(parts: ExaminedParts): Promise<DoctorAnswer> {
  const { ledger } = parts;
  const daemon =
    parts.daemon === undefined
      ? 'none runs; commands work in this process'
      : `process ${parts.daemon} runs; see: oka status`;
  let middleware: readonly string[] = [];
  let escapes: DoctorAnswer['escapes'];
  const checks = await runChecks([
    ['oka', () => [{ name: 'oka', ok: true, detail: `version ${parts.version}` }]],
    ['node', () => [{ name: 'node', ok: true, detail: process.version }]],
    [
      'sqlite',
      () =>
        ledger === undefined || ledger instanceof OkaError
          ? []
          : [sqliteCheck(sqliteVersion(ledger.database))],
    ],
    ['schema', () => [{ name: 'schema', ok: true, detail: `version ${NEWEST_SCHEMA}` }]],
    ['workspace', () => [workspaceCheck(parts)]],
    ['configuration', () => parts.config().then(() => [])],
    ['trust', () => trustChecks(parts)],
    ['postgres', () => serverChecks(parts)],
    ['ledger', async () => (ledger === undefined ? [] : [await ledgerCheck(ledger, parts)])],
    ['disk', () => (ledger === undefined ? [] : [diskCheck(parts)])],
    ['restate', () => clusterChecks(parts)],
    ['sandbox', async () => [sandboxCheck(parts, await parts.config())]],
    ['drafts', async () => [draftCheck(parts, await parts.config())]],
    ['models', () => modelChecks(parts)],
    ['daemon', () => [{ name: 'daemon', ok: true, detail: daemon }]],
    [
      'engine',
      async () => {
        middleware = (await parts.engine())?.middlewareOrder ?? [];
        return [];
      },
    ],
    [
      'sandbox',
      async () => {
        if (parts.triesEscapes) escapes = await escapesOf(parts);
        return [];
      },
    ],
  ]);
  return {
    ok: checks.every((check) => check.ok) && (escapes ?? []).every(({ held }) => held),
    checks,
    middleware,
    ...(escapes === undefined ? {} : { escapes }),
  };
}

type Examination = () => Promise<readonly Check[]> | readonly Check[];

/** One cause is reported once: what else needs the same thing was not checked. */
async function runChecks(list: readonly (readonly [name: string, Examination])[]): Promise<Check[]> {
  const checks: Check[] = [];
  const failed = new Map<string, string>();
  for (const [name, examine] of list) {
    try {
      checks.push(...(await examine()));
    } catch (error) {
      const found = isOkaError(error) ? error : explainSystemError(error);
      if (found === undefined) throw error;
      const cause = failed.get(found.message);
      failed.set(found.message, cause ?? name);
      checks.push(
        cause === undefined
          ? { name, ok: false, detail: found.message, code: found.code }
          : { name, ok: true, warning: true, detail: `not checked, because the check "${cause}" failed` },
      );
    }
  }
  return checks;
}

async function trustChecks({ withheld }: ExaminedParts): Promise<readonly Check[]> {
  const names = await withheld();
  if (names.length === 0) return [];
  return [{ name: 'trust', ok: false, detail: `not approved: ${names.join(', ')}; run: oka trust` }];
}

function workspaceCheck({ folder, ledger, trusted: isTrusted }: ExaminedParts): Check {
  const { workspace } = folder;
  const trusted = isTrusted();
  if (ledger === undefined)
    return {
      name: 'workspace',
      ok: true,
      warning: true,
      detail: `${workspace} is no workspace; create one: oka init`,
    };
  const detail = trusted ? `${workspace}, trusted` : `${workspace} is not trusted; run: oka init --trust`;
  return { name: 'workspace', ok: trusted, detail };
}

function serverChecks({ server: found }: ExaminedParts): readonly Check[] {
  if (found === undefined) return [];
  const { server, schema, version } = found;
  const state = version === 0 ? 'not created yet' : `version ${version}, writable`;
  return [{ name: 'postgres', ok: true, detail: `${server}, schema ${schema}, ${state}` }];
}

/** Whether the cluster can execute the runs of this workspace. */
async function clusterChecks({ cluster }: ExaminedParts): Promise<readonly Check[]> {
  const ask = await cluster();
  return ask === undefined ? [] : [{ name: 'restate', ...(await ask()) }];
}

async function ledgerCheck(ledger: OpenLedger | OkaError, { verify }: ExaminedParts): Promise<Check> {
  if (ledger instanceof OkaError) throw ledger;
  const { incomplete } = ledger.reading ?? {};
  if (incomplete !== undefined) return { name: 'ledger', ok: false, detail: incomplete };
  const { ok, summary, notes } = await verify();
  if (!ok) return { name: 'ledger', ok, detail: `${summary}; run: oka ledger verify` };
  return { name: 'ledger', ok, detail: [summary, ...notes].join('. ') };
}

/** Reports a disk that cannot be written, with the next step, before its free space. */
function diskCheck({ folder, ledger }: ExaminedParts): Check {
  const refusal = ledger instanceof OkaError ? undefined : ledger?.reading?.refusal;
  if (refusal !== undefined)
    return { name: 'disk', ok: false, detail: `commands that write will fail. ${refusal.message}` };
  const { freeBytes } = folder.disk();
  const detail = `${Math.round(freeBytes / 1024 / 1024)} MB free`;
  if (freeBytes > MIN_FREE_BYTES) return { name: 'disk', ok: true, detail };
  return { name: 'disk', ok: false, detail: `${detail}; free some space` };
}

function sqliteCheck(version: string): Check {
  try {
    requireSafeSqlite(version);
    return { name: 'sqlite', ok: true, detail: version };
  } catch (error) {
    return { name: 'sqlite', ok: false, detail: (error as Error).message };
  }
}

/** Without a sandbox, programs run unconfined unless the configuration requires one. */
function sandboxCheck(parts: ExaminedParts, config: OkaConfig): Check {
  const { sandbox } = openProcesses(parts, config);
  if (sandbox.kind === 'bubblewrap')
    return {
      name: 'sandbox',
      ok: true,
      detail: `bubblewrap ${sandbox.version}; try it with: oka doctor --sandbox`,
    };
  const rest =
    config.sandbox === 'required'
      ? 'no program runs'
      : config.sandbox === 'off'
        ? 'programs run with your own rights'
        : 'programs run with your own rights, and unattended runs start none';
  const next = config.sandbox === 'off' ? '' : ` ${INSTALL_BUBBLEWRAP}.`;
  return {
    name: 'sandbox',
    ok: config.sandbox !== 'required',
    warning: true,
    detail: `none: ${sandbox.why}; ${rest}.${next}`,
  };
}

const DRAFTS = {
  overlay: 'a program works on an overlay of the workspace',
  copy: 'a program works on a copy of the workspace, if the workspace is small enough',
  none: 'a program works on the workspace itself, and asks first',
} as const;

/** Which kind of draft of the workspace a program gets here. */
function draftCheck({ folder, home }: ExaminedParts, config: OkaConfig): Check {
  const { kind, why } =
    config.sandbox === 'off'
      ? { kind: 'none' as const, why: 'the sandbox is off' }
      : probeDrafts({ state: join(home, 'drafts'), workspace: folder.workspace });
  const detail = `${kind}: ${why}; ${DRAFTS[kind]}`;
  return { name: 'drafts', ok: true, ...(kind === 'overlay' ? {} : { warning: true }), detail };
}

/** The attempts to leave the sandbox; none where there is no sandbox to leave. */
async function escapesOf(parts: ExaminedParts): Promise<NonNullable<DoctorAnswer['escapes']>> {
  const { home } = parts;
  if (openProcesses(parts, await parts.config()).sandbox.kind === 'none') return [];
  return tryEscapes({
    okaHome: home,
    sandbox: 'required',
    openProxy: (hosts) => openHostProxy({ hosts }),
    openFiles: (workspace) => new WorkspaceFiles(workspace),
  });
}

/** Whether each configured model answers. Asks them at once, because each may be slow. */
async function modelChecks({ askModel, ...parts }: ExaminedParts): Promise<readonly Check[]> {
  const config = await parts.config();
  const models = await parts.models();
  const names = Object.keys(config.models);
  if (names.length === 0)
    return [
      {
        name: 'models',
        ok: true,
        warning: true,
        detail: 'none; agents plan by rules. Add one: oka model add',
      },
    ];
  return Promise.all(
    names.map(async (name): Promise<Check> => {
      const usual = name === config.defaultModel ? ', the default' : '';
      const problems = (await models.check(name)).map(({ message }) => message);
      const check = { name: `model ${name}`, ok: problems.length === 0 };
      if (!check.ok) return { ...check, detail: problems.join(' ') };
      if (askModel === undefined) return { ...check, detail: `configured, not asked${usual}` };
      try {
        const seconds = ((await askModel(name)) / 1_000).toFixed(1);
        return { ...check, detail: `answered in ${seconds} s${usual}` };
      } catch (error) {
        if (!isOkaError(error)) throw error;
        return { ...check, ok: false, detail: error.message };
      }
    }),
  );
}
