import { type Command, InvalidArgumentError } from 'commander';
import type {
  AddCredentialRequest,
  CredentialListAnswer,
  CredentialView,
  KeySource,
  LoggedUse,
} from '../../api/index.ts';
import { type Context, choice, collect, parseCount, usageProblem } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { askNewPassphrase, readSecret, withPassphrase } from '../read-secret.ts';
import { answerWith, type Run } from '../run.ts';

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

interface AddOptions extends Pick<AddCredentialRequest, 'provider' | 'keySource'> {
  readonly account?: string;
  readonly scope: readonly string[];
  readonly expires?: number;
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
      choice(
        '--key-source <source>',
        'Store the key of a new vault here (default: keyring, else file)',
        ...KEY_SOURCES,
      ),
    )
    .action((name: string, options: AddOptions) =>
      run(async (context) => {
        const { vault: api } = await context.open();
        const { account, scope: scopes, expires, ...rest } = options;
        const value = await readSecret(context, `Value of ${name}`);
        const request = {
          name,
          value,
          scopes,
          by: context.by,
          ...rest,
          ...(account === undefined ? {} : { accountHint: account }),
          ...(expires === undefined ? {} : { expiresAt: expires }),
        };
        const answer = await withPassphrase(context, () => api.add(request));
        context.printer.answer(answer, (added) => `${showCredential(added)}\nkey       ${added.keySource}`);
      }),
    );
}

function addReadCommands(vault: Command, run: Run): void {
  vault
    .command('list')
    .description('List credentials without values')
    .action(() =>
      answerWith(
        run,
        (api) => api.vault.list(),
        showList,
        (data) => (data.faults.length === 0 ? EXIT.ok : EXIT.integrity),
      ),
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
        context.printer.answer({ credential }, showCredential);
        return EXIT.ok;
      }),
    );
  vault
    .command('use-log')
    .description('List uses and refusals of credentials, newest first')
    .argument('[name]', 'Credential name')
    .option('--last <n>', 'Show at most this many', parseCount, 50)
    .action((name: string | undefined, options: { last: number }) =>
      answerWith(run, async (api) => ({ uses: await api.vault.uses(name, options.last) }), showUses),
    );
}

async function reveal(context: Context, name: string) {
  const { vault } = await context.open();
  await vault.show(name);
  if (!context.canPrompt || !process.stdout.isTTY)
    throw usageProblem('--reveal needs a terminal to confirm. Tools use the credential by name.');
  if (!(await context.confirm(`Show the value of ${name}? This is recorded.`))) return EXIT.approval;
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
      answerWith(
        run,
        async ({ vault: api }, { by }) => ({ credential: await api.revoke(name, by) }),
        showCredential,
      ),
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
        context.printer.answer(answer, showCredential);
      }),
    );
  vault
    .command('rotate-key')
    .description('Encrypt the vault with a new key')
    .addOption(
      choice(
        '--key-source <source>',
        'Store the new key here (default: where the old key is)',
        ...KEY_SOURCES,
      ),
    )
    .action((options: { keySource?: KeySource }) =>
      run(async (context) => {
        const { vault: api } = await context.open();
        const source = options.keySource ?? (await api.list()).keySource;
        const fresh =
          source === 'passphrase' && context.canPrompt ? { passphrase: await askNewPassphrase(context) } : {};
        const request = { by: context.by, ...fresh, ...(source === undefined ? {} : { keySource: source }) };
        const answer = await withPassphrase(context, () => api.rotateKey(request));
        context.printer.answer(answer, (data) => `Encrypted the vault with a new key (${data.keySource})`);
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

function showCredential({ credential: one }: { readonly credential: CredentialView }): string {
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
  ].join('\n');
}

function showUses({ uses }: { readonly uses: readonly LoggedUse[] }): string {
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
