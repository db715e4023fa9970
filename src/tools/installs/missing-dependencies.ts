import { narrowTool, type ToolContext, type ToolFace } from '../../engine/index.ts';
import { isOkaError, type Json, OkaError, type Redactor } from '../../kernel/index.ts';
import { installDependency } from '../install-dependency.ts';
import { cleanText } from '../mcp/clean-text.ts';
import type { Files } from '../ports.ts';
import type { Dependencies, Processes, ProcessRequest, ProcessResult } from '../process-ports.ts';
import { findEntry, orderInstall } from './catalogue.ts';
import type { EnvironmentErrorCode } from './errors.ts';
import { dependencyInstalled, ENVIRONMENT_STREAM } from './install-events.ts';
import type { Installer } from './ports.ts';
import { recogniseMissing } from './recognise-missing.ts';
import { addRequirement, codeSpan, listRequirements, resolveRequirements } from './requirements-text.ts';
import type { MissingDependency, PackageEntry, SystemEntry } from './types.ts';

const { handler: _, preimage: __, undo: ___, ...INSTALL_FACE } = installDependency;
const REQUIREMENTS = 'INSTALL_REQUIREMENTS.md';
const LONGEST_ARGUMENTS = 300;
const LONGEST_GOAL = 200;

/** What providing dependencies takes. */
export interface MissingDependenciesOptions {
  readonly installer: Installer;
  /** The files of the workspace, where INSTALL_REQUIREMENTS.md is kept. */
  readonly files: Files;
  /** What the policy in force says about a call of `environment.install`. */
  readonly decide: (
    tool: ToolFace,
    input: Json,
    context: ToolContext,
  ) => 'allow' | 'ask' | 'deny' | Promise<'allow' | 'ask' | 'deny'>;
  readonly redactor: Redactor;
  /** What a run is for, as a person put it. */
  readonly goalOf?: (run: string) => Promise<string | undefined>;
}

/**
 * Provides what processes miss: what the reviewed catalogue lists is installed where policy allows it, what needs root is
 * written to INSTALL_REQUIREMENTS.md for a person. A name that is not listed is never guessed at.
 */
export class MissingDependencies implements Dependencies {
  readonly #options: MissingDependenciesOptions;

  constructor(options: MissingDependenciesOptions) {
    this.#options = options;
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
    // What a program imports by `import` is looked for in its own project, which is not ours to change.
    if (entry === undefined || missing.loader === 'import') return 'unknown';
    return this.#install(entry, missing, context);
  }

  /** Marks the requirements as resolved that a process which succeeded shows to be met. */
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
    // It stands there and the process did not find it: running it again would change nothing.
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
    const purpose = goal === undefined ? '' : ` (${cleanText(redactor.text(oneLine(goal)), LONGEST_GOAL)})`;
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

  /** The arguments as one line of code, without secrets. */
  #shownArguments({ argv }: ProcessRequest): string {
    const text = this.#options.redactor.text(JSON.stringify(argv));
    return codeSpan(cleanText(text, LONGEST_ARGUMENTS));
  }

  async #read(): Promise<string | undefined> {
    const { files } = this.#options;
    if ((await files.stat(REQUIREMENTS)) === undefined) return undefined;
    return Buffer.from((await files.read(REQUIREMENTS)).content).toString('utf8');
  }
}

/**
 * Processes that find what is installed: each run gets what `environment` says at that time, and `dependencies` is told of
 * each one that succeeded.
 */
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
    async run(request, signal) {
      const environment = { ...installs.environment(), ...request.environment };
      const result = await processes.run({ ...request, environment }, signal);
      if (result.exitCode !== 0) return result;
      try {
        await installs.dependencies.noteSuccess(request, signal);
      } catch (error) {
        // The process has done its work; a note that cannot be written must not turn that into a failure.
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
    `${missing.name} is missing; the ${ecosystem} package ${name} brings it, and policy wants a person to allow that: oka tools call environment.install '${JSON.stringify(input)}'.`,
    { data: { ecosystem, package: name, missing: missing.name, evidence: missing.evidence } },
  );
}

function dockerfileSnippet(
  { name }: MissingDependency,
  entry: SystemEntry | PackageEntry | undefined,
): string {
  if (entry === undefined)
    return `# Find the package that brings ${name} (apt-file search ${name}) and put its name here:\n# RUN ${aptLine('…')}`;
  return `RUN ${aptLine(entry.package)}`;
}

function aptLine(name: string): string {
  return `apt-get update && apt-get install -y --no-install-recommends ${name} && rm -rf /var/lib/apt/lists/*`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
