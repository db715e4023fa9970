import type { Command } from 'commander';
import type { AddMcpServerRequest, McpServerItem, TestMcpServerAnswer } from '../../api/index.ts';
import { type Context, collect, usageProblem } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { clip, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';
import { addServeCommand } from './mcp-serve.ts';

interface AddOptions {
  readonly url?: string;
  readonly header: readonly string[];
  readonly env: readonly string[];
  readonly user?: boolean;
}

export function mcpCommand(program: Command, run: Run): void {
  const mcp = program
    .command('mcp')
    .description('Use MCP servers, or serve this workspace over MCP')
    .addHelpText(
      'after',
      `\nExamples:\n  oka mcp add memory -- npx -y @modelcontextprotocol/server-memory\n  oka mcp add search --url https://example.com/mcp --header 'Authorization=Bearer \${vault:search}'\n  oka mcp test memory --approve\n  oka mcp list\n  oka tools call mcp.memory.search_nodes '{"query":"garden"}'`,
    );
  mcp
    .command('list')
    .description('List servers and their approval status; starts none')
    .action(() => answerWith(run, async (api) => ({ servers: await api.mcp.list() }), showList));
  addAddCommand(mcp, run);
  mcp
    .command('remove')
    .description('Remove a server and its approval')
    .argument('<name>', 'Name')
    .action((name: string) =>
      answerWith(
        run,
        (api) => api.mcp.remove(name),
        (data) => `Removed ${data.name} from ${visible(data.file)}`,
      ),
    );
  mcp
    .command('test')
    .description('Connect to a server and show its tools and changes since approval')
    .argument('<name>', 'Name')
    .option('--approve', 'Approve the server as it is now, without a prompt')
    .option('--trust-hints', 'Trust its tool annotations: read-only tools then need no approval')
    .addHelpText('after', '\nExamples:\n  oka mcp test memory\n  oka mcp test memory --approve')
    .action((name: string, options: { approve?: boolean; trustHints?: boolean }) =>
      run((context) =>
        test(context, name, options).catch((error: unknown) => {
          // The user interrupted it, so there is nothing to report.
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
    .description('Add a server to .mcp.json; it runs only after you approve it')
    .argument('<name>', 'Name in this workspace')
    .argument('[command...]', 'Server program and its arguments, after --')
    .option('--url <url>', 'Connect to a running server at this URL')
    .option('--header <name=value>', 'Send this header with every request; repeatable', collect, [])
    .option('--env <name=value>', 'Set an environment variable for the program; repeatable', collect, [])
    .option('--user', 'Add it for all your workspaces')
    .addHelpText(
      'after',
      `\nExamples:\n  oka mcp add memory -- npx -y @modelcontextprotocol/server-memory\n  oka mcp add github --env 'TOKEN=\${vault:github}' -- github-mcp-server stdio\n  oka mcp add search --url https://example.com/mcp`,
    )
    .action((name: string, command: readonly string[], options: AddOptions) =>
      run(async (context) => {
        const request = { name, launch: toLaunch(command, options), user: options.user ?? false };
        for (const warning of expansionWarnings(options)) context.printer.warning(warning);
        const added = await (await context.open()).mcp.add(request);
        context.printer.answer(added, ({ server, file }) => `Added ${server.name} to ${visible(file)}`);
        context.printer.message(`Next: oka mcp test ${name}`);
      }),
    );
}

function toLaunch(command: readonly string[], options: AddOptions): AddMcpServerRequest['launch'] {
  const [program, ...args] = command;
  const { url } = options;
  if ((url === undefined) === (program === undefined))
    throw usageProblem('Give either a command after --, such as oka mcp add NAME -- PROGRAM ARGS, or --url.');
  if (url !== undefined) {
    if (options.env.length > 0) throw usageProblem('--env needs a command. With --url, use --header.');
    return { transport: 'http', url, headers: toMembers(options.header, '--header') };
  }
  if (options.header.length > 0) throw usageProblem('--header needs --url. With a command, use --env.');
  const environment = toMembers(options.env, '--env');
  return { transport: 'stdio', command: program as string, args, environment };
}

function toMembers(pairs: readonly string[], option: string): Readonly<Record<string, string>> {
  const members = pairs.map((pair) => {
    const end = pair.indexOf('=');
    if (end < 1) throw usageProblem(`Invalid ${option} "${pair}": expected NAME=VALUE.`);
    return [pair.slice(0, end).trim(), pair.slice(end + 1)] as const;
  });
  return Object.fromEntries(members);
}

const SECRET_NAME = /token|key|secret|password|authorization|cookie/i;
const PLACEHOLDER = /\$\{[^}]+\}/;

/** Values that look as if the shell replaced a placeholder, or as if a secret was meant to be one. */
function expansionWarnings({ header, env }: AddOptions): readonly string[] {
  const pairs = [
    ...Object.entries(toMembers(header, '--header')).map((pair) => ['--header', ...pair] as const),
    ...Object.entries(toMembers(env, '--env')).map((pair) => ['--env', ...pair] as const),
  ];
  return pairs.flatMap(([option, name, value]) => {
    const example = `${option} '${name}=${option === '--header' ? 'Bearer ' : ''}\${vault:NAME}'`;
    if (/^\s*((bearer|basic|token)\s*)?$/i.test(value))
      return [
        `The value of ${name} is empty: the shell may have replaced a placeholder. Use single quotes: ${example}`,
      ];
    if (/\$\w+|\$\{[^}]*$/.test(value) && !PLACEHOLDER.test(value))
      return [`The value of ${name} has an incomplete placeholder. Write it as: ${example}`];
    if (SECRET_NAME.test(name) && !PLACEHOLDER.test(value))
      return [
        `The value of ${name} is stored in the file as it is. Keep a secret in the vault: oka vault add NAME, then ${example}`,
      ];
    return [];
  });
}

async function test(
  context: Context,
  name: string,
  { approve, trustHints = false }: { readonly approve?: boolean; readonly trustHints?: boolean },
): Promise<ExitCode> {
  const { mcp } = await context.open();
  const request = { name, by: context.by, signal: context.interrupted };
  let answer = await mcp.test({ ...request, ...(approve ? { approve: { trustHints } } : {}) });
  if (answer.server.status !== 'approved' && context.canPrompt) {
    context.printer.output.write(`${showTest(answer)}\n`);
    if (!(await context.confirm(`Approve ${visible(name)} with exactly these tools?`))) return EXIT.approval;
    answer = await mcp.test({ ...request, approve: { hash: answer.hash, trustHints } });
    context.printer.answer(answer, ({ server }) => `Approved ${server.name}`);
    return EXIT.ok;
  }
  context.printer.answer(answer, showTest);
  if (answer.server.status === 'approved') return EXIT.ok;
  context.printer.message(`To approve it: oka mcp test ${name} --approve`);
  return EXIT.approval;
}

function showList({ servers }: { readonly servers: readonly McpServerItem[] }): string {
  if (servers.length === 0) return 'No servers yet. Add one with: oka mcp add NAME -- PROGRAM ARGS';
  const rows = servers.map((server) => [
    clip(server.name, 40),
    server.transport ?? '-',
    server.status,
    String(server.tools.length),
    server.problem === undefined ? clip(server.target ?? '', 80) : clip(`it ${server.problem}`, 80),
  ]);
  return table(['server', 'transport', 'status', 'tools', 'where'], rows);
}

/** Shows everything that an approval covers, uncut. */
function showTest({ server, protocol, tools, changes }: TestMcpServerAnswer): string {
  return [
    `server    ${visible(server.name)} (${server.status})`,
    `where     ${visible(server.target ?? '')}`,
    `protocol  ${protocol}`,
    `tools     ${tools.length}`,
    ...tools.flatMap((tool) => [
      `  ${visible(tool.name).replaceAll('\n', '\\n')}${showHints(tool.annotations)}`,
      visible(tool.description ?? '(no description)').replaceAll(/^/gm, '      '),
      `      takes ${visible(JSON.stringify(tool.inputSchema))}`,
    ]),
    ...(changes.length === 0
      ? []
      : ['changed since approval', ...changes.map((line) => `  ${visible(line)}`)]),
  ].join('\n');
}

function showHints(annotations: TestMcpServerAnswer['tools'][number]['annotations']): string {
  const hints = Object.entries(annotations ?? {}).filter(
    ([name, value]) => name.endsWith('Hint') && value === true,
  );
  return hints.length === 0 ? '' : ` (says: ${hints.map(([name]) => visible(name.slice(0, -4))).join(', ')})`;
}
