import { type Command, InvalidArgumentError } from 'commander';
import { parseCount, usageProblem } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

const MAX_PORT = 65_535;

interface ServeOptions {
  readonly tools: readonly string[];
  readonly http?: boolean;
  readonly port?: number;
}

export function addServeCommand(mcp: Command, run: Run): void {
  mcp
    .command('serve')
    .description('Serve tools, graphs and run results to MCP clients over stdio')
    .option(
      '--tools <names>',
      'Also serve these tools, such as files.*,process.run; read-only tools are always served',
      parseNames,
      [],
    )
    .option('--http', 'Listen on 127.0.0.1 instead; requests need the printed token')
    .option('--port <port>', 'Use this port with --http (default: a free port)', parsePort)
    .addHelpText(
      'after',
      '\nExamples:\n  oka mcp serve\n  oka mcp serve --tools "files.*,process.run"\n  oka mcp serve --http --port 7777\n\nIn the configuration of a client:\n  { "mcpServers": { "oka": { "command": "oka", "args": ["-C", "/path/of/the/workspace", "mcp", "serve"] } } }',
    )
    .action((options: ServeOptions) =>
      run(async (context) => {
        if (options.port !== undefined && !options.http) throw usageProblem('--port needs --http.');
        const { serving } = await context.open();
        const { colors } = context.printer;
        const onWarning = (what: string): void =>
          context.printer.message(`${colors.yellow('warning')} ${visible(what)}`);
        const request = { tools: options.tools, by: context.by, onWarning };
        if (!options.http) {
          const { stdin: input, stdout: output } = process;
          if (input.isTTY)
            context.printer.message('Waiting for a client on stdin. See: oka mcp serve --help');
          await serving.overStreams({ ...request, input, output, signal: context.interrupted });
          return EXIT.ok;
        }
        const { url, token, tokenFile, close } = await serving.overHttp({
          ...request,
          port: options.port ?? 0,
        });
        context.printer.answer({ url, tokenFile }, (data) => data.url);
        context.printer.flush();
        context.printer.message(`Authorization: Bearer ${token}\nToken file, removed on exit: ${tokenFile}`);
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
    throw new InvalidArgumentError('Expected names separated by commas, such as files.*,process.run');
  return [...before, ...names];
}

function parsePort(text: string): number {
  const port = parseCount(text);
  if (port <= MAX_PORT) return port;
  throw new InvalidArgumentError(`Expected a port from 0 to ${MAX_PORT}`);
}
