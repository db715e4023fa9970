import type { Command } from 'commander';
import { type Json, OkaError, type ToolDetails, type ToolView } from '../../api/index.ts';
import { keyOption, parseJsonArgument, SIMULATE_HELP, startKeyOf } from '../context.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import { clip, table } from '../format.ts';
import { visible } from '../printer.ts';
import { readInput } from '../read-input.ts';
import { answerWith, type Run } from '../run.ts';
import { listenersOf, watchRun } from '../run-progress.ts';

const EFFECTS: Readonly<Record<ToolView['sideEffect'], string>> = {
  read: 'reads',
  write_local: 'writes locally',
  external_mutation: 'external change',
};

export function toolsCommand(program: Command, run: Run): void {
  const tools = program
    .command('tools')
    .description('List, inspect and call tools')
    .addHelpText(
      'after',
      '\nExamples:\n  oka tools list\n  oka tools show files.read\n  oka tools call files.read \'{"path":"README.md"}\'\n  echo \'{"path":"."}\' | oka tools call files.list -',
    );
  tools
    .command('list')
    .description('List tools and their effects')
    .action(() =>
      answerWith(
        run,
        async (api) => ({ tools: await api.tools.list() }),
        ({ tools }) => (process.stdout.isTTY ? showGroups(tools) : showTools(tools)),
      ),
    );
  tools
    .command('show')
    .description('Show a tool with its input and output JSON Schemas')
    .argument('<name>', 'Tool name, such as files.read')
    .action((name: string) =>
      answerWith(run, async (api) => ({ tool: await api.tools.show(name) }), showTool),
    );
  tools
    .command('call')
    .description('Call a tool as a recorded run, under policy')
    .argument('<name>', 'Tool name, such as files.read')
    .argument('[json]', 'Input; - reads standard input', '{}')
    .option('--simulate', SIMULATE_HELP)
    .option('--dry-run', 'Same as --simulate')
    .addOption(keyOption())
    .addHelpText(
      'after',
      '\nExamples:\n  oka tools call files.read \'{"path":"README.md"}\'\n  oka tools call files.write - --simulate < input.json',
    )
    .action((tool: string, json: string, options: { simulate?: boolean; dryRun?: boolean; key?: string }) =>
      run(async (context) => {
        const input = await readObject(json);
        const api = await context.open();
        const simulate = options.simulate ?? options.dryRun ?? false;
        const watch = await watchRun(context, simulate);
        const answer = await api.tools
          .call({
            tool,
            input,
            simulate,
            patienceMs: PATIENCE_MS,
            key: startKeyOf(options),
            signal: context.interrupted,
            ...listenersOf(watch),
          })
          .finally(() => watch.end());
        return finishWithRun(context, answer, watch);
      }),
    );
}

async function readObject(json: string): Promise<Json> {
  const input = json === '-' ? await readInput('-') : (parseJsonArgument(json, 'the input') as Json);
  if (input !== null && typeof input === 'object' && !Array.isArray(input)) return input;
  const example = '{"path":"README.md"}';
  throw new OkaError('cli.invalid_json', `The input is not a JSON object. Example: '${example}'.`);
}

function showTools(tools: readonly ToolView[]): string {
  const rows = tools.map((tool) => [...columns(tool).slice(0, 3), tool.source, clip(tool.description, 100)]);
  return table(['tool', 'does', 'risk', 'source', 'description'], rows);
}

function showGroups(tools: readonly ToolView[]): string {
  const sources = [...new Set(tools.map(({ source }) => source))];
  return sources
    .map((source) => {
      const rows = tools.filter((tool) => tool.source === source).map(columns);
      return `${visible(source)}\n${table(['  tool', 'does', 'risk', 'description'], rows.map(indent))}`;
    })
    .join('\n\n');
}

function columns({ name, sideEffect, annotations, description }: ToolView): readonly string[] {
  return [clip(name, 60), EFFECTS[sideEffect], annotations.risk, clip(description, 80)];
}

function indent([first, ...rest]: readonly string[]): readonly string[] {
  return [`  ${first ?? ''}`, ...rest];
}

function showTool({ tool }: { readonly tool: ToolDetails }): string {
  const { name, description, sideEffect, annotations, source, input, output } = tool;
  const traits = [
    ...(annotations.destructive ? ['destructive'] : []),
    ...(annotations.idempotent ? ['idempotent'] : []),
  ];
  return [
    visible(name),
    `  ${visible(description)}`,
    `  does    ${[EFFECTS[sideEffect], ...traits].join(', ')}`,
    `  risk    ${annotations.risk}`,
    `  source  ${visible(source)}`,
    `  input   ${visible(JSON.stringify(input, null, 2))}`,
    ...(output === undefined ? [] : [`  output  ${visible(JSON.stringify(output, null, 2))}`]),
  ].join('\n');
}
