import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  type GenerateFrameAnswer,
  type GenerateFrameRequest,
  OkaError,
  type RegenerateAnswer,
  type WrittenFrameAnswer,
} from '../../api/index.ts';
import { parseCount, parseJsonObject } from '../context.ts';
import { EXIT, exitOfRun } from '../exit-codes.ts';
import { showRun } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';
import { parseList, showPath } from './context-options.ts';

const USER = 'user';
const TYPE = 'note';

/** The commands that add to what is known about the workspace. */
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
    .description('append what you understood about a node; frames are never changed')
    .argument('<node>', 'a path or a node id')
    .argument('<file>', 'a file with the text, or - for standard input')
    .option('--type <type>', 'what kind of frame', TYPE)
    .option('--agent <name>', 'who says it', USER)
    .option('--metadata <json>', 'more about it, as a JSON object')
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
        context.printer.answer(
          await api.putFrame({ node, content, ...rest, ...more, by: context.by }),
          showWritten,
        );
        return EXIT.ok;
      }),
    );
}

interface SynthesizeOptions {
  readonly type: string;
  readonly policy?: string;
  readonly parameters?: string;
  readonly recursive?: boolean;
  readonly agent: string;
}

function synthesizeCommand(group: Command, run: Run): void {
  group
    .command('synthesize')
    .description('make one frame of a directory from the frames of its children')
    .argument('<node>', 'a directory: its path or node id')
    .option('--type <type>', 'which frames of the children, and the type of the new one; * takes all', TYPE)
    .option('--policy <name>', 'concatenation, summarization, filtering, or a registered one')
    .option('--parameters <json>', 'what the policy is told, as in {"max_sentences":5}')
    .option('--recursive', 'the directories below first')
    .option('--agent <name>', 'who does it', USER)
    .action((node: string, options: SynthesizeOptions) =>
      run(async (context) => {
        const { parameters, recursive = false, ...rest } = options;
        const more =
          parameters === undefined ? {} : { parameters: parseJsonObject(parameters, '--parameters') };
        const { context: api } = await context.open();
        const answer = await api.synthesize({ node, recursive, ...rest, ...more, by: context.by });
        if (answer.skipped.length > 0)
          context.printer.message(`${answer.skipped.length} children say nothing of this type`);
        context.printer.answer(answer, showWritten);
        return EXIT.ok;
      }),
    );
}

interface RegenerateOptions {
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
  readonly types?: readonly string[];
  readonly models: boolean;
  readonly maxModelCalls?: number;
  readonly agent: string;
}

function regenerateCommand(group: Command, run: Run): void {
  group
    .command('regenerate')
    .description('make again what does not hold any more, each in the way that it was made')
    .argument('<node>', 'the boundary: nothing above or beside it is made again')
    .option('--recursive', 'also everything below it')
    .option('--dry-run', 'only say what would be made again, and what it would cost')
    .option('--types <list>', 'only frames of these types', parseList)
    .option('--no-models', 'leave out what a model wrote')
    .option('--max-model-calls <n>', 'ask models so often at the most; 20 by default', parseCount)
    .option('--agent <name>', 'who does it', USER)
    .addHelpText(
      'after',
      '\nExamples:\n  oka context regenerate . --recursive --dry-run\n  oka context regenerate src --recursive --no-models',
    )
    .action((node: string, options: RegenerateOptions) =>
      run(async (context) => {
        const { recursive = false, dryRun = false, ...rest } = options;
        const { context: api } = await context.open();
        const answer = await api.regenerate({ node, recursive, dryRun, ...rest, by: context.by });
        context.printer.answer(answer, showRegenerated);
        return EXIT.ok;
      }),
    );
}

function invalidateCommand(group: Command, run: Run): void {
  group
    .command('invalidate')
    .description('say that heads do not hold any more; regenerate makes them again')
    .argument('<node>', 'a path or a node id')
    .option('--types <list>', 'only heads of these types', parseList)
    .option('--recursive', 'also everything below it')
    .option('--agent <name>', 'who says so', USER)
    .action((node: string, options: { types?: readonly string[]; recursive?: boolean; agent: string }) =>
      run(async (context) => {
        const { recursive = false, ...rest } = options;
        const { context: api } = await context.open();
        const invalidated = await api.invalidate({ node, recursive, ...rest, by: context.by });
        context.printer.answer({ invalidated }, (data) =>
          data.invalidated.length === 0
            ? 'no head had to be marked'
            : data.invalidated.map(({ path, types }) => `${showPath(path)}  ${types.join(', ')}`).join('\n'),
        );
        return EXIT.ok;
      }),
    );
}

function generateCommand(group: Command, run: Run): void {
  group
    .command('generate')
    .description('ask the model of an agent about a node and append its answer, in a run of its own')
    .argument('<node>', 'a path or a node id')
    .requiredOption('--prompt <text>', 'what is asked')
    .option('--type <type>', 'the type of the frame', TYPE)
    .option('--agent <name>', 'who asks, and with whose model; the default model if it is you', USER)
    .option('--model <name>', "a configured model, or one as provider/model, instead of the agent's own")
    .option('--again', 'ask even if the same was answered before')
    .addHelpText(
      'after',
      '\nExamples:\n  oka context generate src/main.ts --prompt "What does this file do?" --agent ada',
    )
    .action((node: string, options: Omit<GenerateFrameRequest, 'node'>) =>
      run(async (context) => {
        const answer = await (await context.open()).context.generate({ node, ...options });
        if (answer.asked === false)
          context.printer.message('the same was answered before, so nobody was asked; to ask: --again');
        context.printer.answer(answer, showGenerated);
        return exitOfRun(answer.run);
      }),
    );
}

/** The text in a file; `-` is standard input. Refuses what is not UTF-8. */
export async function readText(file: string): Promise<string> {
  const what = file === '-' ? 'standard input' : file;
  let bytes: Buffer;
  try {
    bytes = file === '-' ? await readStandardInput() : await readFile(file);
  } catch (cause) {
    throw new OkaError(
      'cli.usage',
      `${what} cannot be read: ${(cause as Error).message}. Give a file, or -.`,
      { cause },
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new OkaError('cli.usage', `${what} is not text in UTF-8; give a text.`, { cause });
  }
}

async function readStandardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function showWritten({ frame, outcome }: WrittenFrameAnswer): string {
  return `${outcome} ${frame.id}  ${showPath(frame.path)}  ${frame.type}`;
}

function showGenerated({ frame, ...answer }: GenerateFrameAnswer): string {
  if (frame === undefined) return showRun(answer);
  const { provider, model } = frame.metadata ?? {};
  const by = [frame.agent, provider, model].filter((one) => one !== undefined).join('  ');
  return `${frame.id}  ${showPath(frame.path)}  ${frame.type}  ${visible(by)}\nrun ${answer.run.id}\n\n${visible(frame.content ?? '')}`;
}

/** What was made again, a line for each. */
export function showRegenerated({ dryRun, regenerated, unchanged, skipped, cost }: RegenerateAnswer): string {
  const verb = dryRun ? 'would make again' : 'made again';
  return [
    ...regenerated.map(({ path, type, recipe }) => `${verb}  ${showPath(path)}  ${type}  by ${recipe}`),
    ...skipped.map(({ path, type, why }) => `passed over  ${showPath(path)}  ${type}: ${visible(why)}`),
    `${cost.frames} frames${dryRun ? ' would be' : ''} made again with ${cost.modelCalls} model calls, ${unchanged} unchanged`,
  ].join('\n');
}
