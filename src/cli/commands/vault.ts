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
    .description('credentials, encrypted, handed to tools by name')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka vault add github-token --scope host:api.github.com     asks for the value',
        '  oka vault add openai-key --provider openai < key.txt',
        '  oka vault list',
        '  oka vault use-log github-token',
        '  oka vault rotate github-token < new-key.txt',
        '  oka vault revoke github-token',
        '',
        'Scopes say where a value may go: host:api.example.org, host:*.example.org, tool:process.run, mcp:<server>,',
        'model:<provider>, or * for anywhere. Without a scope only models and MCP servers of your own files get it.',
      ].join('\n'),
    );
  addCredential(vault, run);
  lookAtCredentials(vault, run);
  changeCredentials(vault, run);
}

interface AddOptions {
  readonly provider?: string;
  readonly account?: string;
  readonly scope: readonly string[];
  readonly expires?: number;
  readonly keySource?: KeySource;
}

function addCredential(vault: Command, run: Run): void {
  vault
    .command('add')
    .description('keep a value; it comes on standard input, or is asked for')
    .argument('<name>', 'small letters, digits, - and _')
    .option('--provider <name>', 'whose credential it is, as in openai')
    .option('--account <hint>', 'a word that tells you which account it is for')
    .option('--scope <scope>', 'where the value may go; may be given again', collect, [])
    .option('--expires <date>', 'from when on it is refused, as in 2027-01-31', parseDate)
    .addOption(
      new Option(
        '--key-source <source>',
        "where a new vault keeps its key; by default the machine's keyring, else a file",
      ).choices([...KEY_SOURCES]),
    )
    .action((name: string, options: AddOptions) =>
      run(async (context) => {
        const { vault: api } = await context.open();
        const { provider, account, scope, expires, keySource } = options;
        const value = await readSecret(context, `the value of ${name}`);
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

function lookAtCredentials(vault: Command, run: Run): void {
  vault
    .command('list')
    .description('every credential, without its value')
    .action(() =>
      run(async (context) => {
        const answer = await (await context.open()).vault.list();
        context.printer.answer(answer, showList);
        return answer.faults.length === 0 ? EXIT.ok : EXIT.integrity;
      }),
    );
  vault
    .command('show')
    .description('one credential')
    .argument('<name>')
    .option('--reveal', 'print the value, on a terminal only; it is recorded as a use')
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
    .description('who has used a credential and who was refused, the newest first')
    .argument('[name]', 'only of this one')
    .option('--last <n>', 'how many at the most', parseCount, 50)
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
  if (!context.mayAsk || !process.stdout.isTTY)
    throw new OkaError(
      'cli.usage',
      'a value is shown on a terminal only, to a person who confirms it; tools get it by its name.',
    );
  const { confirm, isCancel } = await import('@clack/prompts');
  const yes = await confirm({
    message: `Show the value of ${name} on this screen? It is recorded.`,
    initialValue: false,
    output: context.printer.output,
  });
  if (isCancel(yes) || !yes) return EXIT.approval;
  const value = await withPassphrase(context, () => vault.reveal(name, context.by));
  context.printer.answer({ name, value }, (data) => visible(data.value));
  return EXIT.ok;
}

function changeCredentials(vault: Command, run: Run): void {
  vault
    .command('revoke')
    .description('make a credential useless for good and erase its value')
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
    .description('a new value for a credential; it comes on standard input, or is asked for')
    .argument('<name>')
    .option('--expires <date>', 'from when on the new value is refused; by default never', parseDate)
    .action((name: string, options: { expires?: number }) =>
      run(async (context) => {
        const { vault: api } = await context.open();
        await api.show(name);
        const value = await readSecret(context, `the new value of ${name}`);
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
    .description('encrypt everything under a new key')
    .addOption(
      new Option('--key-source <source>', 'where to keep it; by default where the old one was').choices([
        ...KEY_SOURCES,
      ]),
    )
    .action((options: { keySource?: KeySource }) =>
      run(async (context) => {
        const { vault: api } = await context.open();
        const source = options.keySource ?? (await api.list()).keySource;
        const fresh =
          source === 'passphrase' && context.mayAsk ? { passphrase: await askNewPassphrase(context) } : {};
        const request = { by: context.by, ...fresh, ...(source === undefined ? {} : { keySource: source }) };
        const answer = await withPassphrase(context, () => api.rotateKey(request));
        context.printer.answer(answer, ({ keySource }) => `the vault has a new key (${keySource})`);
        return EXIT.ok;
      }),
    );
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/;

/** A day, from its beginning in UTC, or a moment with its zone. */
function parseDate(text: string): number {
  const at = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new InvalidArgumentError('Give a day, as in 2027-01-31, or a moment, as in 2027-01-31T18:00Z');
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
      ? 'no credentials yet; add one with: oka vault add <name>'
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
    `scopes    ${one.scopes.join(' ') || 'none: models and MCP servers of your own files'}`,
    `version   ${one.version}`,
    `added     ${showTime(one.createdAt)} UTC`,
    `changed   ${showTime(one.updatedAt)} UTC`,
    `last used ${one.lastUsedAt === undefined ? 'never' : `${showTime(one.lastUsedAt)} UTC`}`,
    ...(one.expiresAt === undefined ? [] : [`expires   ${showTime(one.expiresAt)} UTC`]),
  ];
}

function showUses(uses: readonly LoggedUse[]): string {
  if (uses.length === 0) return 'no uses yet';
  const rows = uses.map(({ at, name, outcome, why, purpose, run }) => [
    showTime(at),
    name,
    why === undefined ? outcome : `${outcome}: ${why}`,
    clip(purpose, 60),
    run ?? '',
  ]);
  return table(['at (UTC)', 'name', 'outcome', 'where', 'run'], rows);
}
