import { resolve } from 'node:path';
import type { Command } from 'commander';
import { OkaError, type TrustItem, type TrustView } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';

export function trustCommand(program: Command, run: Run): void {
  const trust = program
    .command('trust')
    .description('Review and approve what may act in this folder')
    .option('--yes', 'Approve everything that is shown, without a prompt')
    .option('--adopt-ledger', 'Keep a ledger that came with the folder, without any trust in its content')
    .addHelpText(
      'after',
      '\nHooks, MCP servers, models, default models, replaced agents and schedules act only as you approved them.\n\nExamples:\n  oka trust          shows what is new or changed, and asks\n  oka trust show     shows everything that acts\n  oka trust list     lists the folders that you trust\n  oka trust revoke',
    )
    .action((options: { yes?: boolean; adoptLedger?: boolean }) =>
      run((context) => review(context, options)),
    );
  trust
    .command('show')
    .description('Show everything that acts in this folder, with its state')
    .action(() => answerWith(run, (api) => api.trust.show(), showAll));
  trust
    .command('list')
    .description('List the folders that you trust')
    .action(() =>
      answerWith(
        run,
        async (api) => ({ workspaces: await api.trust.list() }),
        ({ workspaces }) =>
          workspaces.length === 0
            ? 'You trust no folder yet. To trust this one: oka init'
            : table(
                ['FOLDER', 'TRUSTED', 'ITEMS', 'STATE'],
                workspaces.map(({ path, trustedAt, items, state }) => [
                  visible(path),
                  new Date(trustedAt).toISOString(),
                  String(items),
                  state,
                ]),
              ),
      ),
    );
  trust
    .command('revoke')
    .description('Stop trusting this folder, or the one at a path')
    .argument('[path]', 'Folder; default: the workspace')
    .action((path: string | undefined) =>
      answerWith(
        run,
        (api, context) =>
          api.trust.revoke(path === undefined ? context.workspace : resolve(context.folder, path)),
        (answer) =>
          answer.revoked
            ? `No longer trusted: ${visible(answer.path)}`
            : `Not trusted: ${visible(answer.path)}`,
      ),
    );
}

/** Shows what the user has not approved yet, and approves exactly that. */
async function review(
  context: Context,
  { yes = false, adoptLedger = false }: { readonly yes?: boolean; readonly adoptLedger?: boolean },
): Promise<ExitCode> {
  const { trust } = await context.open();
  const view = await trust.show();
  const open = view.items.filter(({ state }) => state !== 'approved');
  if (view.trusted && open.length === 0) {
    context.printer.answer(view, () => `Nothing to approve. ${contents(view)}`);
    return EXIT.ok;
  }
  if (!yes) {
    if (!context.canPrompt) throw notApproved(view, open);
    context.printer.output.write(`${showOpen(view, open)}\n`);
    if (!(await context.confirm(question(view, open)))) return EXIT.approval;
  }
  const approved = await trust.approve({ digest: view.digest, adoptLedger });
  context.printer.answer(approved, () => `Approved. ${contents(approved)}`);
  return EXIT.ok;
}

function notApproved({ workspace, trusted }: TrustView, open: readonly TrustItem[]): OkaError {
  const items = open.map(({ kind, name, state }) => ({ kind, name, state }));
  const data = { workspace, items };
  if (!trusted)
    return new OkaError(
      'config.not_trusted',
      `${workspace} is not trusted. Review it with: oka trust show. Trust it with: oka trust --yes.`,
      { data },
    );
  const names = open.map(({ kind, name, state }) => `${kindName(kind)} ${name} (${state})`).join(', ');
  return new OkaError(
    'config.trust_changed',
    `Not approved yet: ${names}. Review with: oka trust show. Approve with: oka trust --yes.`,
    { data },
  );
}

function question({ workspace, trusted, movedFrom }: TrustView, open: readonly TrustItem[]): string {
  if (movedFrom !== undefined)
    return `Move the trust of ${visible(movedFrom)} to ${visible(workspace)}, and approve this?`;
  if (!trusted) return `Trust ${visible(workspace)}, and approve this?`;
  return open.length === 1 ? 'Approve it?' : 'Approve all of this?';
}

/** What a folder contains, such as `This folder contains: 2 hooks, 3 schedules (next fires 2026-01-31 07:00 UTC)`. */
export function contents({ summary, items }: TrustView): string {
  if (summary === '') return 'This folder contains nothing that acts by itself.';
  const next = Math.min(...items.map(({ nextAt }) => nextAt ?? Number.POSITIVE_INFINITY));
  const fires = Number.isFinite(next) ? ` (next fires ${shownTime(next)})` : '';
  return `This folder contains: ${summary}${fires}`;
}

function shownTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function showAll(view: TrustView): string {
  const { trusted, movedFrom, items } = view;
  const state = trusted
    ? 'Trusted.'
    : `Not trusted${movedFrom === undefined ? '' : `; moved from ${visible(movedFrom)}`}. To trust it: oka trust`;
  return [`${state} ${contents(view)}`, ...items.map(showItem), ...showRemoved(view)].join('\n');
}

function showOpen(view: TrustView, open: readonly TrustItem[]): string {
  return [contents(view), ...open.map(showItem), ...showRemoved(view)].join('\n');
}

function showItem({ kind, name, state, text, diff }: TrustItem): string {
  const shown = (diff ?? text).trimEnd().split('\n');
  return [`${kindName(kind)} ${visible(name)}: ${state}`, ...shown.map((line) => `  ${visible(line)}`)].join(
    '\n',
  );
}

function showRemoved({ removed }: TrustView): readonly string[] {
  return removed.map(({ kind, name }) => `${kindName(kind)} ${visible(name)}: removed`);
}

export function kindName(kind: string): string {
  return kind === 'mcp_server' ? 'MCP server' : kind;
}
