import type { Command } from 'commander';
import { quoteForShell } from '../../api/index.ts';
import { findInstallation, type Installation } from '../installation.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';
import { packageFolder } from './version.ts';

declare const __OKA_VERSION__: string;

export function updateCommand(program: Command, run: Run): void {
  program
    .command('update')
    .description('Show how to update Oka; contacts nothing and changes nothing')
    .action(() =>
      run(async (context) => {
        const found = findInstallation(packageFolder());
        const { kind, folder } = found;
        const commands = commandsFor(found);
        context.printer.answer({ version: __OKA_VERSION__, installation: kind, folder, commands }, (data) =>
          [
            `Oka ${data.version}, ${DESCRIPTIONS[kind]}: ${visible(folder)}`,
            'Update it with:',
            ...commands.map((command) => `  ${visible(command)}`),
            'Then restart a running daemon: oka down, then oka up',
          ].join('\n'),
        );
      }),
    );
}

const DESCRIPTIONS: Readonly<Record<Installation['kind'], string>> = {
  checkout: 'a checkout',
  global: 'installed with npm for all folders',
  npx: 'started with npx',
  project: 'installed in a project',
};

function commandsFor({ kind, folder, project }: Installation): readonly string[] {
  if (kind === 'checkout')
    return [
      ['git', '-C', folder, 'pull'],
      ['npm', 'install', '--global', folder],
    ].map(quoteForShell);
  if (kind === 'npx') return ['npx oka@latest'];
  if (kind === 'project')
    return [quoteForShell(['npm', '--prefix', project ?? '.', 'install', 'oka@latest'])];
  return ['npm install --global oka@latest'];
}
