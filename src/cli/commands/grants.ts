import type { Command } from 'commander';
import { type GrantView, shortIds } from '../../api/index.ts';
import { usageProblem } from '../context.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';

export function grantsCommand(program: Command, run: Run): void {
  const grants = program
    .command('grants')
    .description('List and revoke remembered approvals')
    .addHelpText(
      'after',
      '\nExamples:\n  oka grants list\n  oka grants revoke 01j…\n  oka grants revoke --all',
    );
  grants
    .command('list')
    .description('List remembered approvals, what they cover and when they expire')
    .action(() => answerWith(run, async (api) => ({ grants: await api.grants.list() }), showGrants));
  grants
    .command('revoke')
    .description('Revoke remembered approvals; later calls ask again')
    .argument('[grant]', 'Grant id')
    .option('--all', 'Revoke all of this workspace')
    .action((id: string | undefined, { all = false }: { all?: boolean }) =>
      answerWith(
        run,
        async (api) => {
          if ((id === undefined) === !all)
            throw usageProblem('Name a grant or pass --all. See: oka grants list.');
          return { revoked: await api.grants.revoke(id === undefined ? {} : { id }) };
        },
        ({ revoked }) => (revoked.length === 0 ? 'No grants' : `Revoked\n${showRows(revoked)}`),
      ),
    );
}

function showGrants({ grants }: { readonly grants: readonly GrantView[] }): string {
  return grants.length === 0 ? 'No grants' : showRows(grants);
}

function showRows(grants: readonly GrantView[]): string {
  const shown = shortIds(grants.map(({ id }) => id));
  const rows = grants.map(({ id, tool, covers, program, workspace, expiresAt, why }) => [
    shown(id),
    tool,
    clip(visible(covers), 100),
    visible(program ?? ''),
    why ?? (expiresAt === undefined ? '' : showTime(expiresAt)),
    visible(workspace),
  ]);
  return table(['grant', 'tool', 'covers', 'program', 'expires (UTC)', 'workspace'], rows);
}
