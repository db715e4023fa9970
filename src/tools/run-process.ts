import * as z from 'zod';
import { type CredentialProvider, requireCapability, type Tool, type ToolContext } from '../engine/index.ts';
import { isOkaError, OkaError } from '../kernel/index.ts';
import { defineTool } from './define-tool.ts';
import { refuseEnvironment } from './environment-names.ts';
import type { ToolsErrorCode } from './errors.ts';
import type { Files } from './ports.ts';
import type { Dependencies, Processes, ProcessRequest, ProcessResult } from './process-ports.ts';
import { refuseShell } from './shell-command.ts';

const NAME = 'process.run';
const DEFAULT_SECONDS = 120;
const MOST_SECONDS = 3_600;
const MOST_WORDS = 1_000;
/** Time for two runs at their longest, and an install between them. */
const LONGEST_MS = (2 * MOST_SECONDS + 1_800) * 1_000;

const input = z.strictObject({
  argv: z
    .array(z.string().max(100_000))
    .min(1)
    .max(MOST_WORDS)
    .describe('the program and its arguments, one by one; no shell reads them'),
  cwd: z.string().min(1).optional().describe('the folder to run in, relative to the workspace'),
  timeout_seconds: z.number().positive().max(MOST_SECONDS).default(DEFAULT_SECONDS),
  stdin: z.string().optional().describe('what the program is given to read'),
  env: z.record(z.string(), z.string()).optional().describe('variables beside the clean environment'),
  secrets: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe('variables whose values come from the vault, by the name of the secret'),
  network: z.boolean().optional().describe('let the program reach the network'),
});
type RunInput = z.output<typeof input>;

export const runProcess: Tool = defineTool({
  name: NAME,
  description:
    'Runs a program in the workspace, without a shell and in a sandbox where the machine has one, and gives its output and exit code.',
  input,
  output: z.strictObject({
    exitCode: z.union([z.int(), z.null()]),
    signal: z.union([z.string(), z.null()]),
    stdout: z.string(),
    stderr: z.string(),
    truncated: z.boolean(),
    sandbox: z.enum(['bubblewrap', 'none']),
    note: z.string().exactOptional(),
  }),
  annotations: { readOnly: false, destructive: true, idempotent: false, cacheable: false, risk: 'medium' },
  sideEffect: 'external_mutation',
  untrusted: true,
  timeoutMs: LONGEST_MS,
  async handler(given, context) {
    refuseShell(given.argv, given.stdin);
    refuseEnvironment([...Object.keys(given.env ?? {}), ...Object.keys(given.secrets ?? {})]);
    return run(await toRequest(given, context), context);
  },
});

async function toRequest(given: RunInput, context: ToolContext): Promise<ProcessRequest> {
  const { argv, cwd, stdin, network } = given;
  const secrets = await resolveSecrets(given.secrets ?? {}, context);
  return {
    argv,
    timeoutMs: given.timeout_seconds * 1_000,
    environment: { ...given.env, ...secrets },
    ...(cwd === undefined ? {} : { cwd: await folderAt(cwd, context) }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(network === undefined ? {} : { network }),
  };
}

/** The real folder in the workspace, by the same rules as for files. */
async function folderAt(path: string, context: ToolContext): Promise<string> {
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
        `there is no secret "${name}" for the variable ${variable}; add it with: oka vault add ${name}.`,
        { data: { secret: name, variable } },
      );
    resolved[variable] = value;
  }
  return resolved;
}

/** Runs a program, and once more if what it missed could be provided. */
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
    if (provided === 'installed') return processes.run(request, context.signal);
    if (provided === 'needs_person') throw needsRoot(request.argv[0] as string);
  }
  if (result instanceof Error) throw result;
  return result;
}

function needsRoot(program: string): OkaError {
  return new OkaError(
    'environment.needs_root',
    `"${program}" misses something that only an administrator can install; see INSTALL_REQUIREMENTS.md for what and how.`,
    { data: { program } },
  );
}
