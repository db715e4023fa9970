import type { Command } from 'commander';
import {
  type AddMcpServerRequest,
  type McpServerItem,
  OkaError,
  type TestMcpServerAnswer,
} from '../../api/index.ts';
import { type Context, collect } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { clip, table } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';
import { addServeCommand } from './mcp-serve.ts';

interface AddOptions {
  readonly url?: string;
  readonly header: readonly string[];
  readonly env: readonly string[];
  readonly user?: boolean;
}

interface TestOptions {
  readonly approve?: boolean;
  readonly trustHints?: boolean;
}

export function mcpCommand(program: Command, run: Run): void {
  const mcp = program
    .command('mcp')
    .description('servers of the Model Context Protocol: use those of others, or be one')
    .addHelpText(
      'after',
      `\nExamples:\n  oka mcp add memory -- npx -y @modelcontextprotocol/server-memory\n  oka mcp add search --url https://example.com/mcp --header "Authorization=Bearer \${vault:search}"\n  oka mcp test memory --approve\n  oka mcp list\n  oka tools call mcp.memory.search_nodes '{"query":"garden"}'`,
    );
  mcp
    .command('list')
    .description('the declared servers, and whether they are approved; starts none')
    .action(() =>
      run(async (context) => {
        const servers = await (await context.open()).mcp.list();
        context.printer.answer({ servers }, (data) => showList(data.servers));
        return EXIT.ok;
      }),
    );
  addAddCommand(mcp, run);
  mcp
    .command('remove')
    .description('take a server out of its file, and forget that it was approved')
    .argument('<name>', 'its name')
    .action((name: string) =>
      run(async (context) => {
        const removed = await (await context.open()).mcp.remove(name);
        context.printer.answer(removed, (data) => `removed ${data.name} from ${visible(data.file)}`);
        return EXIT.ok;
      }),
    );
  mcp
    .command('test')
    .description('connect to a server, and see its tools and what changed since it was approved')
    .argument('<name>', 'its name')
    .option('--approve', 'approve the server as it is now, without asking')
    .option('--trust-hints', 'believe what it says of its tools: those that only read then need no approval')
    .addHelpText('after', '\nExamples:\n  oka mcp test memory\n  oka mcp test memory --approve')
    .action((name: string, options: TestOptions) =>
      run((context) =>
        test(context, name, options).catch((error: unknown) => {
          // Whoever wanted out knows why it ended.
          if (context.interrupted.aborted) return EXIT.failed;
          throw error;
        }),
      ),
    );
  addServeCommand(mcp, run);
}

function addAddCommand(mcp: Command, run: Run): void {
  mcp
    .command('add')
    .description('declare a server in .mcp.json; it acts only after you approved it')
    .argument('<name>', 'how it is called here')
    .argument('[command...]', 'the program that is the server, with its arguments, after --')
    .option('--url <url>', 'the address of a server that is there already')
    .option('--header <name=value>', 'send this with every request; may be repeated', collect, [])
    .option('--env <name=value>', 'a variable for the program; may be repeated', collect, [])
    .option('--user', 'in your own folder, for all workspaces')
    .addHelpText(
      'after',
      `\nExamples:\n  oka mcp add memory -- npx -y @modelcontextprotocol/server-memory\n  oka mcp add github --env "TOKEN=\${vault:github}" -- github-mcp-server stdio\n  oka mcp add search --url https://example.com/mcp`,
    )
    .action((name: string, command: readonly string[], options: AddOptions) =>
      run(async (context) => {
        const request = { name, launch: toLaunch(command, options), user: options.user ?? false };
        const added = await (await context.open()).mcp.add(request);
        context.printer.answer(added, ({ server, file }) => `added ${server.name} to ${visible(file)}`);
        context.printer.message(`next: oka mcp test ${name}`);
        return EXIT.ok;
      }),
    );
}

function toLaunch(command: readonly string[], options: AddOptions): AddMcpServerRequest['launch'] {
  const [program, ...args] = command;
  const { url } = options;
  if ((url === undefined) === (program === undefined))
    throw new OkaError(
      'cli.usage',
      'say how the server is reached: either a command after --, as in: oka mcp add NAME -- PROGRAM ARGS, or --url.',
    );
  if (url !== undefined) {
    if (options.env.length > 0)
      throw new OkaError('cli.usage', '--env goes with a command; a server with --url takes --header.');
    return { transport: 'http', url, headers: toMembers(options.header, '--header') };
  }
  if (options.header.length > 0)
    throw new OkaError('cli.usage', '--header goes with --url; a server with a command takes --env.');
  const environment = toMembers(options.env, '--env');
  return { transport: 'stdio', command: program as string, args, environment };
}

function toMembers(pairs: readonly string[], option: string): Readonly<Record<string, string>> {
  const members = pairs.map((pair) => {
    const end = pair.indexOf('=');
    if (end < 1)
      throw new OkaError(
        'cli.usage',
        `"${pair}" does not fit ${option}; write it as in ${option} NAME=VALUE.`,
      );
    return [pair.slice(0, end).trim(), pair.slice(end + 1)] as const;
  });
  return Object.fromEntries(members);
}

async function test(context: Context, name: string, options: TestOptions): Promise<ExitCode> {
  const { mcp } = await context.open();
  const trustHints = options.trustHints ?? false;
  const request = { name, by: context.by, signal: context.interrupted };
  let answer = await mcp.test({ ...request, ...(options.approve ? { approve: { trustHints } } : {}) });
  if (answer.server.status !== 'approved' && context.mayAsk) {
    context.printer.output.write(`${showTest(answer)}\n`);
    const { confirm, isCancel } = await import('@clack/prompts');
    const yes = await confirm({
      message: `Approve ${visible(name)} with exactly these tools?`,
      initialValue: false,
      output: context.printer.output,
    });
    if (isCancel(yes) || !yes) return EXIT.approval;
    answer = await mcp.test({ ...request, approve: { hash: answer.hash, trustHints } });
    context.printer.answer(answer, ({ server }) => `${server.name} is approved`);
    return EXIT.ok;
  }
  context.printer.answer(answer, showTest);
  if (answer.server.status === 'approved') return EXIT.ok;
  context.printer.message(`to use it: oka mcp test ${name} --approve`);
  return EXIT.approval;
}

function showList(servers: readonly McpServerItem[]): string {
  if (servers.length === 0) return 'no servers; add one with: oka mcp add NAME -- PROGRAM ARGS';
  const rows = servers.map((server) => [
    clip(server.name, 40),
    server.transport ?? '-',
    server.status,
    String(server.tools.length),
    server.problem === undefined ? clip(server.target ?? '', 80) : clip(`it ${server.problem}`, 80),
  ]);
  return table(['server', 'transport', 'status', 'tools', 'where'], rows);
}

/** All that a person approves: every word of every tool, as it is. */
function showTest({ server, protocol, tools, changes }: TestMcpServerAnswer): string {
  return [
    `server    ${visible(server.name)} (${server.status})`,
    `where     ${visible(server.target ?? '')}`,
    `protocol  ${protocol}`,
    `tools     ${tools.length}`,
    ...tools.flatMap((tool) => [
      `  ${visible(tool.name).replaceAll('\n', '\\n')}${showHints(tool.annotations)}`,
      ...indent(tool.description ?? '(no description)'),
      `      takes ${visible(JSON.stringify(tool.inputSchema))}`,
    ]),
    ...(changes.length === 0
      ? []
      : ['changed since it was approved', ...changes.map((line) => `  ${visible(line)}`)]),
  ].join('\n');
}

function indent(text: string): readonly string[] {
  return visible(text)
    .split('\n')
    .map((line) => `      ${line}`);
}

function showHints(annotations: TestMcpServerAnswer['tools'][number]['annotations']): string {
  const hints = Object.entries(annotations ?? {}).filter(
    ([name, value]) => name.endsWith('Hint') && value === true,
  );
  return hints.length === 0 ? '' : ` (says: ${hints.map(([name]) => visible(name.slice(0, -4))).join(', ')})`;
}
