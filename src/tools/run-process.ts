import * as z from 'zod';
import {
  type BindContext,
  type Binding,
  type Capabilities,
  type ContentOrigins,
  type CredentialProvider,
  type NarrowedTool,
  requireCapability,
  type Tool,
  type ToolContext,
} from '../engine/index.ts';
import { isOkaError, OkaError } from '../kernel/index.ts';
import { defined, defineTool } from './define-tool.ts';
import { refuseEnvironment } from './environment-names.ts';
import type { ToolsErrorCode } from './errors.ts';
import { classifyGit } from './git-commands.ts';
import { isGit } from './harden-git.ts';
import { noteFileRead } from './note-content.ts';
import type {
  Dependencies,
  FileChanges,
  Files,
  Processes,
  ProcessRequest,
  ProcessResult,
  ProgramOutput,
} from './ports.ts';
import { grantScope } from './process-scope.ts';
import { undoChanges } from './programs/apply-draft.ts';
import { runOnDraft } from './programs/run-on-draft.ts';
import { describeNetwork } from './sandbox-access.ts';
import { refuseShell } from './shell-command.ts';

const NAME = 'process.run';
const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 3_600;
const MAX_WORDS = 1_000;
/** Two runs of the maximum duration, and an install in between. */
const TIMEOUT_MS = (2 * MAX_SECONDS + 1_800) * 1_000;

/** A name or `*.` and a name, with a port other than 80 and 443 after a colon. */
const HOST = /^(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:\d{1,5})?$/i;

const input = z.strictObject({
  argv: z
    .array(z.string().max(100_000))
    .min(1)
    .max(MAX_WORDS)
    .describe('the program and its arguments; no shell is used'),
  cwd: z.string().min(1).optional().describe('the folder to run in, relative to the workspace'),
  timeout_seconds: z.number().positive().max(MAX_SECONDS).default(DEFAULT_SECONDS),
  stdin: z.string().optional().describe('the standard input of the program'),
  env: z.record(z.string(), z.string()).optional().describe('additional environment variables'),
  secrets: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe('environment variables with the name of the secret in the vault that is their value'),
  network: z
    .union([z.boolean(), z.strictObject({ hosts: z.array(z.string().regex(HOST)).min(1).max(50) })])
    .optional()
    .describe(
      'what it may reach: true for all of the network, or {"hosts": ["example.org", "*.example.org"]}',
    ),
});
type RunInput = z.output<typeof input>;

const ANNOTATIONS = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  cacheable: false,
  risk: 'medium',
} as const;

export const runProcess: Tool = defineTool({
  name: NAME,
  description:
    'Runs a program in the workspace, without a shell and in a sandbox if available, and returns its output and exit code.',
  input,
  output: z.strictObject({
    exitCode: z.union([z.int(), z.null()]),
    signal: z.union([z.string(), z.null()]),
    stdout: z.string(),
    stderr: z.string(),
    truncated: z.boolean(),
    sandbox: z.enum(['bubblewrap', 'none']),
    confinement: z
      .strictObject({
        kind: z.enum(['bubblewrap', 'none']),
        why: z.string().exactOptional(),
        version: z.string().exactOptional(),
        namespaces: z.array(z.string()).readonly(),
        seccomp: z.boolean(),
        limits: z.record(z.string(), z.union([z.number(), z.string()])),
        network: z.union([z.boolean(), z.strictObject({ hosts: z.array(z.string()).readonly() })]),
      })
      .exactOptional(),
    note: z.string().exactOptional(),
    changes: z
      .strictObject({
        created: z.int(),
        changed: z.int(),
        deleted: z.int(),
        paths: z.array(z.string()).readonly(),
        notApplied: z.array(z.string()).readonly().exactOptional(),
      })
      .exactOptional(),
  }),
  annotations: ANNOTATIONS,
  sideEffect: 'external_mutation',
  untrusted: true,
  forInput: (given, capabilities) => effectsOf(given as Partial<RunInput>, capabilities),
  undo: ({ preimage, force }, context) => undoChanges(preimage, force, context),
  effect: ({ argv, cwd = '.', network = false }) => {
    const reach = network === false ? '' : ` (reaches ${describeNetwork(network)})`;
    return { kind: 'program', what: `${showArgv(argv)}${reach}`, argv, cwd };
  },
  widens: (given) => widenedBy(given as Partial<RunInput>),
  gitClass: ([program, ...args]) => (program === 'git' ? classifyGit(args) : undefined),
  binds: bindRun,
  check: checkRun,
  timeoutMs: TIMEOUT_MS,
  async handler(given, context) {
    refuseArguments(given);
    const request = await toRequest(given, context);
    // A program with network access can download what strangers wrote.
    const start = (one: ProcessRequest): Promise<ProcessResult> => run(one, context);
    if (hasDraft(given, context.capabilities)) {
      const content = context.capabilities['content'] as ContentOrigins | undefined;
      const untrusted = given.network ? 'a program that used the network' : await content?.anywhere();
      if (untrusted !== undefined) context.noteRead?.({ untrusted });
      return runOnDraft(request, context, start);
    }
    const isLabelled =
      context.untrusted === true || Boolean(given.network) || (await namesUntrusted(request, context));
    return isLabelled ? labelChanges(context, () => start(request)) : start(request);
  },
});

/**
 * On a draft and without network a program changes nothing but the workspace, and that can be undone. Secrets could be printed,
 * and a changed environment could make another program of it.
 */
function effectsOf(given: Partial<RunInput>, capabilities: Capabilities = {}): NarrowedTool {
  const isConfined = hasDraft(given, capabilities) && !given.network && given.secrets === undefined;
  if (!isConfined) return { sideEffect: 'external_mutation', annotations: ANNOTATIONS };
  return {
    sideEffect: 'write_local',
    annotations: { ...ANNOTATIONS, destructive: false, idempotent: true, risk: 'low' },
    untrusted: false,
    simulatable: true,
  };
}

/** The repository of a linked worktree lies outside the workspace, so git cannot work on a draft there. */
function hasDraft({ argv }: Partial<RunInput>, capabilities: Capabilities): boolean {
  const { drafts } = (capabilities['processes'] ?? {}) as Partial<Processes>;
  if (drafts === undefined || drafts.kind === 'none') return false;
  return !(drafts.withoutGit && isGit(argv?.[0] ?? ''));
}

function refuseArguments({ argv, stdin, env = {}, secrets = {} }: RunInput): void {
  refuseShell(argv, stdin);
  refuseEnvironment([...Object.keys(env), ...Object.keys(secrets)]);
}

/** A program that is missing now may be one that Oka installs. */
async function checkRun(given: RunInput, context: Pick<ToolContext, 'capabilities'>): Promise<void> {
  refuseArguments(given);
  const { argv, cwd } = given;
  const folder = cwd === undefined ? undefined : await folderAt(cwd, context);
  const processes = requireCapability<Processes>(context, 'processes');
  await processes.find({ argv, ...defined({ cwd: folder }) }).catch(async (error: unknown) => {
    if (!isOkaError(error, 'process.program_missing')) throw error;
    if (!(context.capabilities['dependencies'] as Dependencies | undefined)?.knows(error)) throw error;
  });
}

/** Whether the command names a file of the workspace with untrusted content, which the program may copy into others. */
async function namesUntrusted(request: ProcessRequest, context: ToolContext): Promise<boolean> {
  const files = await requireCapability<Processes>(context, 'processes').identify(request, 'all');
  let isUntrusted = false;
  for (const { path, digest, owner } of files)
    if (owner === 'workspace' && path !== undefined && digest !== undefined)
      isUntrusted = (await noteFileRead(context, path, digest)) || isUntrusted;
  return isUntrusted;
}

/** Notes the files that a program changes, however it ends. */
async function labelChanges<Result>(context: ToolContext, work: () => Promise<Result>): Promise<Result> {
  const watch = await (context.capabilities['fileChanges'] as FileChanges | undefined)?.start();
  try {
    return await work();
  } finally {
    for (const written of (await watch?.finish()) ?? []) context.noteWrite?.(written);
  }
}

/** Everything besides the command line that changes what the program may do. */
function widenedBy(given: Partial<RunInput>): readonly (readonly string[])[] {
  const { cwd = '.', timeout_seconds: seconds = DEFAULT_SECONDS, env = {}, secrets = {} } = given;
  return [
    ...(/^(\.\/*)+$/.test(cwd) ? [] : [['cwd']]),
    ...Object.keys(env).map((name) => ['env', name]),
    ...Object.keys(secrets).map((name) => ['secrets', name]),
    ...(given.network ? [['network']] : []),
    ...(given.stdin === undefined ? [] : [['stdin']]),
    ...(seconds > DEFAULT_SECONDS ? [['timeout_seconds']] : []),
  ];
}

/** The program, the files that it gets, and what a remembered approval covers. */
async function bindRun(call: RunInput, { capabilities, part }: BindContext): Promise<Binding> {
  const processes = requireCapability<Processes>({ capabilities }, 'processes');
  const files = await processes.identify({ argv: call.argv, ...defined({ cwd: call.cwd }) }, part);
  const { kind, why } = processes.sandbox;
  if (kind === 'none') return { part, files, notRemembered: `programs run without a sandbox (${why})` };
  if (call.network) return { part, files, notRemembered: 'the call uses the network' };
  return {
    part,
    files,
    scope: grantScope(call, DEFAULT_SECONDS),
    covers: `${showArgv(call.argv)}${besides(call)}`,
  };
}

/** What a call sets besides its words. */
function besides({ cwd, env = {}, secrets = {}, stdin, timeout_seconds }: RunInput): string {
  const set = [
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
    ...Object.entries(env).map(([name, value]) => `with ${name}=${value}`),
    ...Object.entries(secrets).map(([name, secret]) => `with ${name} from the secret ${secret}`),
    ...(stdin === undefined ? [] : ['with the same standard input']),
    ...(timeout_seconds > DEFAULT_SECONDS ? [`for up to ${timeout_seconds} seconds`] : []),
  ];
  return set.length === 0 ? '' : `, ${set.join(', ')}`;
}

/** The words of a command; those with spaces or quotes as JSON. */
function showArgv(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

async function toRequest(given: RunInput, context: ToolContext): Promise<ProcessRequest> {
  const { argv, cwd, stdin, network } = given;
  const secrets = await resolveSecrets(given.secrets ?? {}, context);
  return {
    argv,
    timeoutMs: given.timeout_seconds * 1_000,
    environment: { ...given.env, ...secrets },
    ...defined({ cwd: cwd === undefined ? undefined : await folderAt(cwd, context), stdin, network }),
    ...defined({ binding: context.binding, onOutput: lastLines(context) }),
  };
}

const LINE_INTERVAL_MS = 100;
const MAX_OPEN_LENGTH = 8_192;

/** Passes whole lines on, so that secrets in them are recognized, and not more often than a person can read. */
function lastLines(context: ToolContext): ((chunk: Uint8Array) => void) | undefined {
  const output = context.capabilities['programOutput'] as ProgramOutput | undefined;
  if (output === undefined) return undefined;
  const decoder = new TextDecoder();
  let open = '';
  let isCut = false;
  let shownAt = 0;
  return (chunk) => {
    open += decoder.decode(chunk, { stream: true });
    if (open.length > MAX_OPEN_LENGTH) {
      open = open.slice(-MAX_OPEN_LENGTH);
      isCut = true;
    }
    const end = open.lastIndexOf('\n');
    if (end < 0 || context.now() - shownAt < LINE_INTERVAL_MS) return;
    const lines = open.slice(0, end).split('\n');
    open = open.slice(end + 1);
    // The rest of a cut line may be the rest of a secret.
    const line = (isCut ? lines.slice(1) : lines).findLast((text) => text.trim() !== '');
    isCut = false;
    if (line === undefined) return;
    shownAt = context.now();
    output.line(context.runId, line.trim());
  };
}

/** Resolves a folder by the same rules as for files. */
async function folderAt(path: string, context: Pick<ToolContext, 'capabilities'>): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  return (await files.list(path, { depth: 1, max: 0, ignored: true })).path;
}

async function resolveSecrets(
  secrets: Readonly<Record<string, string>>,
  context: ToolContext,
): Promise<Record<string, string>> {
  const resolved: Record<string, string> = {};
  for (const [variable, name] of Object.entries(secrets)) {
    const provider = requireCapability<CredentialProvider>(context, 'secrets');
    const value = await provider.resolve(name, { tool: NAME, run: context.runId });
    if (value === undefined)
      throw new OkaError<ToolsErrorCode>(
        'process.secret_missing',
        `No secret "${name}" for the variable ${variable}. Add it with: oka vault add ${name}.`,
        { data: { secret: name, variable } },
      );
    resolved[variable] = value;
  }
  return resolved;
}

/** Runs a program; retries once if a missing dependency was installed. */
async function run(request: ProcessRequest, context: ToolContext): Promise<ProcessResult> {
  const processes = requireCapability<Processes>(context, 'processes');
  const result = await processes.run(request, context.signal).catch((error: unknown) => {
    if (isOkaError(error, 'process.program_missing')) return error;
    throw error;
  });
  const dependencies = context.capabilities['dependencies'] as Dependencies | undefined;
  const complete = !(result instanceof Error) && result.exitCode === 0;
  if (!complete && dependencies !== undefined) {
    const provided = await dependencies.provide(result, request, context);
    if (provided === 'installed')
      return processes.run(await withInstalled(request, processes), context.signal);
    if (provided === 'needs_person') throw needsRoot(request.argv[0] as string);
  }
  if (result instanceof Error) throw result;
  return result;
}

/** The install may provide the program itself; Oka has checked what it installed. The files stay bound. */
async function withInstalled(request: ProcessRequest, processes: Processes): Promise<ProcessRequest> {
  const { binding } = request;
  if (binding === undefined) return request;
  const [program] = await processes.identify(request, 'program');
  if (program?.owner !== 'oka') return request;
  const files = binding.files.map((file) => (file.role === 'program' ? program : file));
  return { ...request, binding: { ...binding, files } };
}

function needsRoot(program: string): OkaError {
  return new OkaError(
    'environment.needs_root',
    `"${program}" needs a dependency that only an administrator can install. See INSTALL_REQUIREMENTS.md.`,
    { data: { program } },
  );
}
