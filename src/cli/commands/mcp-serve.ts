import { type Command, InvalidArgumentError } from 'commander';
import { OkaError } from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

const LARGEST_PORT = 65_535;

interface ServeOptions {
  readonly tools: readonly string[];
  readonly http?: boolean;
  readonly port?: number;
}

/** Offers the workspace to other programs over the Model Context Protocol. */
export function addServeCommand(mcp: Command, run: Run): void {
  mcp
    .command('serve')
    .description(
      'offer tools, graphs and run results to MCP clients; over stdin and stdout unless told otherwise',
    )
    .option(
      '--tools <names>',
      'offer these tools too, beside those that only read, graphs and state; as in files.*,process.run',
      parseNames,
      [],
    )
    .option('--http', 'listen on 127.0.0.1 instead; each request must bring the token')
    .option('--port <port>', 'with --http, the port; by default one that is free', parsePort)
    .addHelpText(
      'after',
      '\nExamples:\n  oka mcp serve\n  oka mcp serve --tools "files.*,process.run"\n  oka mcp serve --http --port 7777\n\nIn the configuration of a client:\n  { "mcpServers": { "oka": { "command": "oka", "args": ["-C", "/path/of/the/workspace", "mcp", "serve"] } } }',
    )
    .action((options: ServeOptions) =>
      run(async (context) => {
        if (options.port !== undefined && !options.http)
          throw new OkaError('cli.usage', '--port goes with --http; over stdin and stdout there is no port.');
        const { serving } = await context.open();
        const { colors } = context.printer;
        const onTrouble = (what: string): void =>
          context.printer.message(`${colors.yellow('trouble')} ${visible(what)}`);
        const request = { tools: options.tools, by: context.by, onTrouble };
        if (!options.http) {
          const { stdin: input, stdout: output } = process;
          if (input.isTTY)
            context.printer.message('Waiting for the messages of a client; see: oka mcp serve --help.');
          await serving.overStreams({ ...request, input, output, signal: context.interrupted });
          return EXIT.ok;
        }
        const { url, token, tokenFile, close } = await serving.overHttp({
          ...request,
          port: options.port ?? 0,
        });
        context.printer.answer({ url, tokenFile }, (data) => data.url);
        context.printer.message(
          `Authorization: Bearer ${token}\nThe token stands in ${tokenFile} until this ends.`,
        );
        await aborted(context.interrupted);
        await close();
        return EXIT.ok;
      }),
    );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function parseNames(text: string, before: readonly string[]): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new InvalidArgumentError('Give names with commas between them, as in files.*,process.run');
  return [...before, ...names];
}

function parsePort(text: string): number {
  const port = parseCount(text);
  if (port <= LARGEST_PORT) return port;
  throw new InvalidArgumentError(`Give a port from 0 to ${LARGEST_PORT}`);
}
