import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type CredentialListAnswer,
  type CredentialView,
  type KeySource,
  type LoggedUse,
  OkaError,
} from '../../api/index.ts';
import { type Context, collect, parseCount } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { askNewPassphrase, readSecret, withPassphrase } from '../read-secret.ts';
import type { Run } from '../run.ts';

const KEY_SOURCES = ['keyring', 'file', 'passphrase'] as const;

export function vaultCommand(program: Command, run: Run): void {
  const vault = program
    .command('vault')
    .description('Store credentials encrypted; tools use them by name')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka vault add github-token --scope host:api.github.com     prompts for the value',
        '  oka vault add openai-key --provider openai < key.txt',
        '  oka vault list',
        '  oka vault use-log github-token',
        '  oka vault rotate github-token < new-key.txt',
        '  oka vault revoke github-token',
        '',
        'A scope limits where a value may be sent: host:api.example.org, host:*.example.org, tool:process.run,',
        'mcp:<server>, model:<provider>, or * for anywhere. Without a scope, only models and MCP servers in your own',
        'configuration get it.',
      ].join('\n'),
    );
  addAddCommand(vault, run);
  addReadCommands(vault, run);
  addChangeCommands(vault, run);
}

interface AddOptions {
  readonly provider?: string;
  readonly account?: string;
  readonly scope: readonly string[];
  readonly expires?: number;
  readonly keySource?: KeySource;
}

function addAddCommand(vault: Command, run: Run): void {
  vault
    .command('add')
    .description('Add a credential; reads the value from standard input or a prompt')
    .argument('<name>', 'Lower-case letters, digits, - and _')
    .option('--provider <name>', 'Set the provider, such as openai')
    .option('--account <hint>', 'Set a hint for the account')
    .option('--scope <scope>', 'Allow the value to be sent here; repeatable', collect, [])
    .option('--expires <date>', 'Refuse it from this date on, such as 2027-01-31', parseDate)
    .addOption(
      new Option(
        '--key-source <source>',
        'Store the key of a new vault here (default: keyring, else file)',
      ).choices([...KEY_SOURCES]),
    )
    .action((name: string, options: AddOptions) =>
      run(async (context) => {
        const { vault: api } = await context.open();
        const { provider, account, scope, expires, keySource } = options;
        const value = await readSecret(context, `Value of ${name}`);
        const request = {
          name,
          value,
          scopes: scope,
          by: context.by,
          ...(provider === undefined ? {} : { provider }),
          ...(account === undefined ? {} : { accountHint: account }),
          ...(expires === undefined ? {} : { expiresAt: expires }),
          ...(keySource === undefined ? {} : { keySource }),
        };
        const answer = await withPassphrase(context, () => api.add(request));
        context.printer.answer(answer, ({ credential, keySource: kept }) =>
          [...showCredential(credential), `key       ${kept}`].join('\n'),
        );
        return EXIT.ok;
      }),
    );
}

function addReadCommands(vault: Command, run: Run): void {
  vault
    .command('list')
    .description('List credentials without values')
    .action(() =>
      run(async (context) => {
        const answer = await (await context.open()).vault.list();
        context.printer.answer(answer, showList);
        return answer.faults.length === 0 ? EXIT.ok : EXIT.integrity;
      }),
    );
  vault
    .command('show')
    .description('Show a credential')
    .argument('<name>')
    .option('--reveal', 'Print the value; needs a terminal and is recorded as a use')
    .action((name: string, options: { reveal?: boolean }) =>
      run(async (context) => {
        const { vault: api } = await context.open();
        if (options.reveal) return reveal(context, name);
        const credential = await api.show(name);
        context.printer.answer({ credential }, (data) => showCredential(data.credential).join('\n'));
        return EXIT.ok;
      }),
    );
  vault
    .command('use-log')
    .description('List uses and refusals of credentials, newest first')
    .argument('[name]', 'Credential name')
    .option('--last <n>', 'Show at most this many', parseCount, 50)
    .action((name: string | undefined, options: { last: number }) =>
      run(async (context) => {
        const uses = await (await context.open()).vault.uses(name, options.last);
        context.printer.answer({ uses }, (data) => showUses(data.uses));
        return EXIT.ok;
      }),
    );
}

async function reveal(context: Context, name: string) {
  const { vault } = await context.open();
  await vault.show(name);
  if (!context.canPrompt || !process.stdout.isTTY)
    throw new OkaError(
      'cli.usage',
      '--reveal needs a terminal to confirm. Tools use the credential by name.',
    );
  const { confirm, isCancel } = await import('@clack/prompts');
  const yes = await confirm({
    message: `Show the value of ${name}? This is recorded.`,
    initialValue: false,
    output: context.printer.output,
  });
  if (isCancel(yes) || !yes) return EXIT.approval;
  const value = await withPassphrase(context, () => vault.reveal(name, context.by));
  context.printer.answer({ name, value }, (data) => visible(data.value));
  return EXIT.ok;
}

function addChangeCommands(vault: Command, run: Run): void {
  vault
    .command('revoke')
    .description('Revoke a credential and erase its value')
    .argument('<name>')
    .action((name: string) =>
      run(async (context) => {
        const credential = await (await context.open()).vault.revoke(name, context.by);
        context.printer.answer({ credential }, (data) => showCredential(data.credential).join('\n'));
        return EXIT.ok;
      }),
    );
  vault
    .command('rotate')
    .description('Replace the value of a credential; reads standard input or a prompt')
    .argument('<name>')
    .option('--expires <date>', 'Refuse the new value from this date on (default: never)', parseDate)
    .action((name: string, options: { expires?: number }) =>
      run(async (context) => {
        const { vault: api } = await context.open();
        await api.show(name);
        const value = await readSecret(context, `New value of ${name}`);
        const end = options.expires === undefined ? {} : { expiresAt: options.expires };
        const answer = await withPassphrase(context, () =>
          api.rotate({ name, value, by: context.by, ...end }),
        );
        context.printer.answer(answer, (data) => showCredential(data.credential).join('\n'));
        return EXIT.ok;
      }),
    );
  vault
    .command('rotate-key')
    .description('Encrypt the vault with a new key')
    .addOption(
      new Option('--key-source <source>', 'Store the new key here (default: where the old key is)').choices([
        ...KEY_SOURCES,
      ]),
    )
    .action((options: { keySource?: KeySource }) =>
      run(async (context) => {
        const { vault: api } = await context.open();
        const source = options.keySource ?? (await api.list()).keySource;
        const fresh =
          source === 'passphrase' && context.canPrompt ? { passphrase: await askNewPassphrase(context) } : {};
        const request = { by: context.by, ...fresh, ...(source === undefined ? {} : { keySource: source }) };
        const answer = await withPassphrase(context, () => api.rotateKey(request));
        context.printer.answer(
          answer,
          ({ keySource }) => `Encrypted the vault with a new key (${keySource})`,
        );
        return EXIT.ok;
      }),
    );
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/;

/** A day starts at midnight UTC. */
function parseDate(text: string): number {
  const at = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new InvalidArgumentError('Expected a day such as 2027-01-31, or a time such as 2027-01-31T18:00Z');
}

function showList({ credentials, faults }: CredentialListAnswer): string {
  const rows = credentials.map((one) => [
    one.name,
    one.status,
    clip(one.provider ?? '', 20),
    clip(one.accountHint ?? '', 30),
    one.lastUsedAt === undefined ? 'never' : showTime(one.lastUsedAt),
    one.scopes.join(' '),
  ]);
  return [
    credentials.length === 0
      ? 'No credentials yet. Add one with: oka vault add <name>'
      : table(['name', 'status', 'provider', 'account', 'last used (UTC)', 'scopes'], rows),
    ...faults.map(({ where, what }) => `✗ ${where}: ${what}`),
  ].join('\n');
}

function showCredential(one: CredentialView): string[] {
  return [
    `name      ${one.name}`,
    `status    ${one.status}`,
    ...(one.provider === undefined ? [] : [`provider  ${visible(one.provider)}`]),
    ...(one.accountHint === undefined ? [] : [`account   ${visible(one.accountHint)}`]),
    `scopes    ${one.scopes.join(' ') || 'none: models and MCP servers in your own configuration'}`,
    `version   ${one.version}`,
    `added     ${showTime(one.createdAt)} UTC`,
    `changed   ${showTime(one.updatedAt)} UTC`,
    `last used ${one.lastUsedAt === undefined ? 'never' : `${showTime(one.lastUsedAt)} UTC`}`,
    ...(one.expiresAt === undefined ? [] : [`expires   ${showTime(one.expiresAt)} UTC`]),
  ];
}

function showUses(uses: readonly LoggedUse[]): string {
  if (uses.length === 0) return 'No uses yet';
  const rows = uses.map(({ at, name, outcome, why, purpose, run }) => [
    showTime(at),
    name,
    why === undefined ? outcome : `${outcome}: ${why}`,
    clip(purpose, 60),
    run ?? '',
  ]);
  return table(['at (UTC)', 'name', 'outcome', 'where', 'run'], rows);
}
