import { narrowTool, type ToolContext, type ToolFace } from '../../engine/index.ts';
import { isOkaError, type Json, OkaError, type Redactor } from '../../kernel/index.ts';
import { dependencyInstalled, ENVIRONMENT_STREAM, installDependency } from '../install-dependency.ts';
import { cleanText } from '../mcp/clean-text.ts';
import type { Dependencies, Files, Processes, ProcessRequest, ProcessResult } from '../ports.ts';
import { findEntry, orderInstall } from './catalogue.ts';
import { recogniseMissing } from './recognise-missing.ts';
import { addRequirement, codeSpan, listRequirements, resolveRequirements } from './requirements-text.ts';
import type {
  EnvironmentErrorCode,
  Installer,
  MissingDependency,
  PackageEntry,
  SystemEntry,
} from './types.ts';

const { handler: _, check: __, preimage: ___, undo: ____, ...INSTALL_FACE } = installDependency;
const REQUIREMENTS = 'INSTALL_REQUIREMENTS.md';
const MAX_ARGUMENTS_LENGTH = 300;
const MAX_GOAL_LENGTH = 200;

export interface MissingDependenciesOptions {
  readonly installer: Installer;
  /** The files of the workspace, including INSTALL_REQUIREMENTS.md. */
  readonly files: Files;
  /** The policy decision about a call of `environment.install`. */
  readonly decide: (
    tool: ToolFace,
    input: Json,
    context: ToolContext,
  ) => 'allow' | 'ask' | 'deny' | Promise<'allow' | 'ask' | 'deny'>;
  readonly redactor: Redactor;
  /** The goal of a run. */
  readonly goalOf?: (run: string) => Promise<string | undefined>;
}

/**
 * Provides missing dependencies of processes. Packages in the reviewed catalogue are installed if the policy allows it. System
 * packages are listed in INSTALL_REQUIREMENTS.md for a person. Unlisted names are never guessed.
 */
export class MissingDependencies implements Dependencies {
  readonly #options: MissingDependenciesOptions;

  constructor(options: MissingDependenciesOptions) {
    this.#options = options;
  }

  knows(failure: OkaError): boolean {
    const missing = recogniseMissing(failure);
    return missing !== undefined && findEntry(missing) !== undefined;
  }

  async provide(
    failure: ProcessResult | OkaError,
    request: ProcessRequest,
    context: ToolContext,
  ): Promise<'installed' | 'unknown' | 'needs_person'> {
    const missing = recogniseMissing(failure);
    if (missing === undefined) return 'unknown';
    const entry = findEntry(missing);
    if (entry?.ecosystem === 'system' || missing.kind === 'shared_library') {
      await this.#askPerson(missing, entry, request, context);
      return 'needs_person';
    }
    // `import` searches only the program's own project, which Oka does not change.
    if (entry === undefined || missing.loader === 'import') return 'unknown';
    return this.#install(entry, missing, context);
  }

  /** Marks requirements as resolved that a successful process has used. */
  async noteSuccess(request: ProcessRequest, signal: AbortSignal): Promise<void> {
    const { files, installer } = this.#options;
    if ((await files.stat(REQUIREMENTS)) === undefined) return;
    const program = request.argv[0]?.split('/').at(-1) ?? '';
    const call = this.#shownArguments(request);
    await installer.inTurn(async () => {
      const text = await this.#read();
      const met = (await listRequirements(text ?? ''))
        .filter(({ status }) => status === 'open')
        .filter(
          ({ dependency, tasks }) => dependency === program || tasks.some((task) => task.endsWith(call)),
        );
      if (text === undefined || met.length === 0) return;
      const names = new Set(met.map(({ dependency }) => dependency));
      await files.writeAtomic(REQUIREMENTS, await resolveRequirements(text, names));
    }, signal);
  }

  async #install(
    entry: PackageEntry,
    missing: MissingDependency,
    context: ToolContext,
  ): Promise<'installed' | 'unknown'> {
    const { installer, decide } = this.#options;
    const input = { ecosystem: entry.ecosystem, package: entry.package };
    const verdict = await decide(narrowTool(INSTALL_FACE, input), input, context);
    if (verdict === 'deny') return 'unknown';
    if (verdict === 'ask') throw installNeeded(input, missing);
    const { installed, fresh } = await installer.install(orderInstall(input), context.signal);
    // It was installed before and the process did not find it, so a retry would not help.
    if (!fresh) return 'unknown';
    const event = dependencyInstalled(installed, { run: context.runId, step: context.step });
    context.record({ stream: ENVIRONMENT_STREAM, event });
    return 'installed';
  }

  async #askPerson(
    missing: MissingDependency,
    entry: SystemEntry | PackageEntry | undefined,
    request: ProcessRequest,
    context: ToolContext,
  ): Promise<void> {
    const { files, installer, redactor, goalOf } = this.#options;
    const goal = await goalOf?.(context.runId);
    const purpose =
      goal === undefined ? '' : ` (${cleanText(redactor.text(oneLine(goal)), MAX_GOAL_LENGTH)})`;
    const requirement = {
      dependency: missing.name,
      task: `run ${context.runId}${purpose}, step ${context.step}, process.run ${this.#shownArguments(request)}`,
      evidence: cleanText(redactor.text(missing.evidence), missing.evidence.length + 1),
      snippet: dockerfileSnippet(missing, entry),
    };
    await installer.inTurn(async () => {
      const before = await this.#read();
      const after = await addRequirement(before, requirement);
      if (after !== before) await files.writeAtomic(REQUIREMENTS, after);
    }, context.signal);
  }

  /** The arguments as inline code, without secrets. */
  #shownArguments({ argv }: ProcessRequest): string {
    const text = this.#options.redactor.text(JSON.stringify(argv));
    return codeSpan(cleanText(text, MAX_ARGUMENTS_LENGTH));
  }

  async #read(): Promise<string | undefined> {
    const { files } = this.#options;
    if ((await files.stat(REQUIREMENTS)) === undefined) return undefined;
    return Buffer.from((await files.read(REQUIREMENTS)).content).toString('utf8');
  }
}

/** Processes that find installed packages: each run gets the current `environment`, and reports success to `dependencies`. */
export function withInstalls(
  processes: Processes,
  installs: {
    readonly environment: () => Readonly<Record<string, string>>;
    readonly dependencies: Pick<MissingDependencies, 'noteSuccess'>;
  },
): Processes {
  return {
    get sandbox() {
      return processes.sandbox;
    },
    get drafts() {
      return processes.drafts;
    },
    openDraft: (key) => processes.openDraft(key),
    identify: (request, part) => processes.identify(request, part),
    find: (request) => processes.find(request),
    async run(request, signal) {
      const environment = { ...installs.environment(), ...request.environment };
      const result = await processes.run({ ...request, environment }, signal);
      if (result.exitCode !== 0) return result;
      try {
        await installs.dependencies.noteSuccess(request, signal);
      } catch (error) {
        // The process has succeeded, so a failed note must not fail it.
        if (!isOkaError(error) && !signal.aborted) throw error;
      }
      return result;
    },
  };
}

function installNeeded(
  input: { readonly ecosystem: string; readonly package: string },
  missing: MissingDependency,
): OkaError<EnvironmentErrorCode> {
  const { ecosystem, package: name } = input;
  return new OkaError(
    'environment.install_needed',
    `${missing.name} is missing. The ${ecosystem} package ${name} provides it, but the policy requires approval. Run: oka tools call environment.install '${JSON.stringify(input)}'.`,
    { data: { ecosystem, package: name, missing: missing.name, evidence: missing.evidence } },
  );
}

function dockerfileSnippet(
  { name }: MissingDependency,
  entry: SystemEntry | PackageEntry | undefined,
): string {
  if (entry === undefined)
    return `# Find the package that provides ${name} (apt-file search ${name}) and put its name here:\n# RUN ${aptLine('…')}`;
  return `RUN ${aptLine(entry.package)}`;
}

function aptLine(name: string): string {
  return `apt-get update && apt-get install -y --no-install-recommends ${name} && rm -rf /var/lib/apt/lists/*`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
