import type { Command } from 'commander';
import type {
  GenerateFrameAnswer,
  GenerateFrameRequest,
  ReadFrameView,
  RegenerateAnswer,
  RegenerateContextRequest,
  SynthesizeRequest,
  WrittenFrameAnswer,
} from '../../api/index.ts';
import { type Context, parseCount, parseJsonObject } from '../context.ts';
import { type ExitCode, exitOfRun } from '../exit-codes.ts';
import { nodeArgument } from '../find-workspace.ts';
import { printRun } from '../print-run.ts';
import { visible } from '../printer.ts';
import { readText } from '../read-input.ts';
import { answerWith, type Run } from '../run.ts';
import { listenersOf, watchRun } from '../run-progress.ts';
import { parseList, showPath } from './context-options.ts';

const USER = 'user';
const TYPE = 'note';

export function addContextWriters(group: Command, run: Run): void {
  putFrameCommand(group, run);
  synthesizeCommand(group, run);
  regenerateCommand(group, run);
  invalidateCommand(group, run);
  generateCommand(group, run);
}

function putFrameCommand(group: Command, run: Run): void {
  group
    .command('put-frame')
    .description('Add a frame to a node; existing frames never change')
    .argument('<node>', 'Path or node id', nodeArgument)
    .argument('<file>', 'Text file, or - for standard input')
    .option('--type <type>', 'Set the type of the frame', TYPE)
    .option('--agent <name>', 'Write as this agent', USER)
    .option('--metadata <json>', 'Attach metadata, a JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  oka context put-frame src notes.md --type design\n  echo "entry point" | oka context put-frame src/main.ts -',
    )
    .action((node: string, file: string, options: { type: string; agent: string; metadata?: string }) =>
      run(async (context) => {
        const { metadata, ...rest } = options;
        const more = metadata === undefined ? {} : { metadata: parseJsonObject(metadata, '--metadata') };
        const content = await readText(file);
        const { context: api } = await context.open();
        const answer = await api.putFrame({ node, content, ...rest, ...more, by: context.by });
        context.printer.answer(answer, showWritten);
      }),
    );
}

interface SynthesizeOptions extends Pick<SynthesizeRequest, 'type' | 'policy' | 'agent'> {
  readonly parameters?: string;
  readonly recursive?: boolean;
}

function synthesizeCommand(group: Command, run: Run): void {
  group
    .command('synthesize')
    .description('Create a frame of a directory from the frames of its children')
    .argument('<node>', 'Path or node id of a directory', nodeArgument)
    .option('--type <type>', 'Use child frames of this type, also for the new frame; * uses all', TYPE)
    .option(
      '--policy <name>',
      'Use this policy: concatenation, summarization, filtering, or a registered one',
    )
    .option('--parameters <json>', 'Pass parameters to the policy, such as {"max_sentences":5}')
    .option('--recursive', 'Start with the directories below')
    .option('--agent <name>', 'Write as this agent', USER)
    .action((node: string, options: SynthesizeOptions) =>
      run(async (context) => {
        const { parameters, recursive = false, ...rest } = options;
        const more =
          parameters === undefined ? {} : { parameters: parseJsonObject(parameters, '--parameters') };
        const { context: api } = await context.open();
        const answer = await api.synthesize({ node, recursive, ...rest, ...more, by: context.by });
        if (answer.skipped.length > 0)
          context.printer.message(`${answer.skipped.length} children have no frame of this type`);
        context.printer.answer(answer, showWritten);
      }),
    );
}

type RegenerateOptions = Omit<RegenerateContextRequest, 'node' | 'by' | 'recursive' | 'dryRun'> & {
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
};

function regenerateCommand(group: Command, run: Run): void {
  group
    .command('regenerate')
    .description('Regenerate stale frames, each with the method that created it')
    .argument('<node>', 'Path or node id; nothing outside it is regenerated', nodeArgument)
    .option('--recursive', 'Include everything below it')
    .option('--dry-run', 'Show what would be regenerated and its cost')
    .option('--types <list>', 'Limit to frames of these types', parseList)
    .option('--no-models', 'Skip frames that a model wrote')
    .option('--max-model-calls <n>', 'Call models at most this often (default: 20)', parseCount)
    .option('--agent <name>', 'Write as this agent', USER)
    .addHelpText(
      'after',
      '\nExamples:\n  oka context regenerate . --recursive --dry-run\n  oka context regenerate src --recursive --no-models',
    )
    .action((node: string, { recursive = false, dryRun = false, ...options }: RegenerateOptions) =>
      answerWith(
        run,
        ({ context }, { by }) => context.regenerate({ node, recursive, dryRun, ...options, by }),
        showRegenerated,
      ),
    );
}

function invalidateCommand(group: Command, run: Run): void {
  group
    .command('invalidate')
    .description('Mark heads as stale; regenerate then recreates them')
    .argument('<node>', 'Path or node id', nodeArgument)
    .option('--types <list>', 'Limit to heads of these types', parseList)
    .option('--recursive', 'Include everything below it')
    .option('--agent <name>', 'Mark as this agent', USER)
    .action((node: string, options: { types?: readonly string[]; recursive?: boolean; agent: string }) =>
      answerWith(
        run,
        async ({ context }, { by }) => ({
          invalidated: await context.invalidate({ node, recursive: false, ...options, by }),
        }),
        ({ invalidated }) =>
          invalidated.map(({ path, types }) => `${showPath(path)}  ${types.join(', ')}`).join('\n') ||
          'No heads to mark',
      ),
    );
}

function generateCommand(group: Command, run: Run): void {
  group
    .command('generate')
    .description('Ask a model about a node and add its answer as a frame')
    .argument('<node>', 'Path or node id', nodeArgument)
    .requiredOption('--prompt <text>', 'Ask this')
    .option('--type <type>', 'Set the type of the frame', TYPE)
    .option('--agent <name>', 'Use the model of this agent; the default model for "user"', USER)
    .option('--model <name>', 'Use this configured model, or provider/model')
    .option('--again', 'Ask even if an identical question was answered before')
    .addHelpText(
      'after',
      '\nExamples:\n  oka context generate src/main.ts --prompt "What does this file do?" --agent ada',
    )
    .action((node: string, options: Omit<GenerateFrameRequest, 'node'>) =>
      run(async (context) => {
        const { context: api } = await context.open();
        const watch = await watchRun(context);
        const following = { signal: context.interrupted, ...listenersOf(watch) };
        const answer = await api.generate({ node, ...options, ...following }).finally(() => watch.end());
        const { frame, run: made } = answer;
        if (frame === undefined) return endWithoutFrame(context, answer);
        if (answer.asked === false)
          context.printer.message('Reused the earlier answer. To ask the model, add --again');
        const isShown = watch.hasShown({ ...answer, output: frame.content ?? '' });
        context.printer.answer(answer, () => showGenerated(frame, made.id, isShown));
        return exitOfRun(made);
      }),
    );
}

function showWritten({ frame, outcome }: WrittenFrameAnswer): string {
  return `${outcome} ${frame.id}  ${showPath(frame.path)}  ${frame.type}`;
}

/** With --json the answer is an error, as its exit code says. */
async function endWithoutFrame(context: Context, answer: GenerateFrameAnswer): Promise<ExitCode> {
  const { id, status, failure, waitingFor } = answer.run;
  if (context.printer.json) {
    const code = failure?.code ?? 'context.not_generated';
    const message =
      failure?.message ?? `No frame yet: the run is ${status}. ${waitingFor?.detail ?? ''}`.trim();
    context.printer.error({ code, message, data: { run: id, status } });
  } else await printRun(context, answer);
  return exitOfRun(answer.run);
}

function showGenerated(frame: ReadFrameView, run: string, isShown: boolean): string {
  const { provider, model } = frame.metadata ?? {};
  const by = [frame.agent, provider, model].filter((one) => one !== undefined).join('  ');
  const title = `${frame.id}  ${showPath(frame.path)}  ${frame.type}  ${visible(by)}\nrun ${run}`;
  return isShown ? title : `${title}\n\n${visible(frame.content ?? '')}`;
}

export function showRegenerated({ dryRun, regenerated, unchanged, skipped, cost }: RegenerateAnswer): string {
  const verb = dryRun ? 'would regenerate' : 'regenerated';
  return [
    ...regenerated.map(({ path, type, recipe }) => `${verb}  ${showPath(path)}  ${type}  by ${recipe}`),
    ...skipped.map(({ path, type, why }) => `skipped  ${showPath(path)}  ${type}: ${visible(why)}`),
    `${cost.frames} frames${dryRun ? ' would be' : ''} regenerated with ${cost.modelCalls} model calls, ${unchanged} unchanged`,
  ].join('\n');
}
