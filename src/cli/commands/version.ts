import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { showFacts } from '../format.ts';
import { findInstallation } from '../installation.ts';
import type { Run } from '../run.ts';

declare const __OKA_VERSION__: string;

export function versionCommand(program: Command, run: Run): void {
  program
    .command('version')
    .description('Show the versions of Oka, Node and SQLite, and where Oka is installed')
    .action(() =>
      run(async (context) => {
        const { folder, kind } = findInstallation(packageFolder());
        const facts = {
          oka: __OKA_VERSION__,
          node: process.versions.node,
          platform: `${process.platform} ${process.arch}`,
          sqlite: await sqliteVersion(),
          installed: folder,
          installation: kind,
        };
        context.printer.answer(facts, ({ oka, node, platform, sqlite }) =>
          [
            `Oka ${oka}`,
            ...showFacts([
              ['node', node],
              ['platform', platform],
              ['sqlite', sqlite],
              ['installed', `${folder} (${kind})`],
            ]),
          ].join('\n'),
        );
      }),
    );
}

async function sqliteVersion(): Promise<string> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(':memory:');
  const row = database.prepare('SELECT sqlite_version() AS version').get();
  database.close();
  return (row as { readonly version: string }).version;
}

/** The folder with package.json; the built files are in a folder of it. */
export function packageFolder(): string {
  return dirname(dirname(fileURLToPath(import.meta.url)));
}
