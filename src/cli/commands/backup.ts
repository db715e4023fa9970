import { resolve } from 'node:path';
import type { Command } from 'commander';
import type {
  BackupApi,
  BackupContents,
  BackupCreateAnswer,
  BackupProgress,
  BackupRestoreAnswer,
  BackupVerifyAnswer,
  Fault,
} from '../../api/index.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { showBytes, showTime } from '../format.ts';
import { visible } from '../printer.ts';
import { ProgressBar } from '../progress-bar.ts';
import type { Run } from '../run.ts';

export function backupCommand(program: Command, run: Run): void {
  const backup = program
    .command('backup')
    .description('Copy a workspace into one file, check the copy, restore it')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka backup create ~/backups/garden.tar.gz',
        '  oka backup verify ~/backups/garden.tar.gz',
        '  oka backup restore ~/backups/garden.tar.gz --to ~/garden',
      ].join('\n'),
    );
  backup
    .command('create')
    .description('Write the ledger, its artifacts, the vault and your configuration into one file')
    .argument('<file>', 'Archive to write, such as garden.tar.gz')
    .option('--force', 'Replace an existing file')
    .addHelpText(
      'after',
      [
        '',
        'Runs and the daemon keep working. The backup does not contain the key of the vault.',
        '',
        'Examples:',
        '  oka backup create ~/backups/garden.tar.gz',
        '  oka backup create /mnt/disk/garden.tar.gz --force',
      ].join('\n'),
    )
    .action((file: string, options: { force?: boolean }) =>
      withProgress(run, (api, request) => api.create({ ...request, force: options.force ?? false }), {
        file,
        show: showCreated,
      }),
    );
  backup
    .command('verify')
    .description('Check every byte of a backup and the ledger in it')
    .argument('<file>', 'Archive')
    .addHelpText(
      'after',
      '\nNeeds no workspace. Exits with 7 if the archive is damaged.\n\nExamples:\n  oka backup verify ~/backups/garden.tar.gz',
    )
    .action((file: string) =>
      withProgress(run, (api, request) => api.verify(request), { file, show: showVerified }),
    );
  backup
    .command('restore')
    .description('Restore a workspace from a backup, whole or not at all')
    .argument('<file>', 'Archive')
    .option('--to <folder>', 'Restore into this folder instead of the current one')
    .option('--replace', 'Replace an existing workspace; the old one is kept')
    .option('--mine', 'I made this backup, perhaps on another machine: treat its ledger as mine')
    .addHelpText(
      'after',
      [
        '',
        'Verifies the archive first. The restored workspace is not trusted: inspect it, then run oka init --trust.',
        '',
        'Examples:',
        '  oka backup restore ~/backups/garden.tar.gz',
        '  oka backup restore ~/backups/garden.tar.gz --to ~/garden',
        '  oka backup restore ~/backups/garden.tar.gz --replace',
      ].join('\n'),
    )
    .action((file: string, options: { to?: string; replace?: boolean; mine?: boolean }) =>
      withProgress(
        run,
        (api, request, { folder }) => {
          const to = options.to === undefined ? {} : { to: resolve(folder, options.to) };
          const { replace = false, mine = false } = options;
          return api.restore({ ...request, ...to, replace, mine });
        },
        { file, show: showRestored, staysInFolder: true },
      ),
    );
}

const PHASES: Readonly<Record<BackupProgress['phase'], string>> = {
  copy: 'copying the database',
  verify: 'verifying the ledger',
  write: 'writing the archive',
  read: 'reading the archive',
};

/** Phases that count bytes; the others count pages or events. */
const BYTES: readonly BackupProgress['phase'][] = ['write', 'read'];

/** Runs an operation and prints its answer. Shows progress in one line on a terminal. */
function withProgress<Answer extends object>(
  run: Run,
  operate: (api: BackupApi, request: Parameters<BackupApi['verify']>[0], context: Context) => Promise<Answer>,
  {
    file,
    show,
    staysInFolder = false,
  }: {
    readonly file: string;
    readonly show: (answer: Answer) => string;
    /** Whether the current folder is meant, not the workspace that it is in. */
    readonly staysInFolder?: boolean;
  },
): Promise<void> {
  return run(async (context) => {
    if (staysInFolder) context.stayInFolder();
    const bar = new ProgressBar(context.printer);
    bar.show({ what: 'opening the workspace', done: 0 });
    const request = {
      file: resolve(context.folder, file),
      signal: context.interrupted,
      onProgress: ({ phase, done, total }: BackupProgress): void =>
        bar.show({ what: PHASES[phase], done, total, ...(BYTES.includes(phase) ? { unit: 'bytes' } : {}) }),
    };
    try {
      const { backup } = await context.open();
      const answer = await operate(backup, request, context).finally(() => bar.end());
      context.printer.answer(answer, show);
      return 'ok' in answer && !answer.ok ? EXIT.integrity : EXIT.ok;
    } catch (error) {
      if (!context.interrupted.aborted) throw error;
      context.printer.message('Cancelled. Nothing was changed.');
      return EXIT.failed;
    }
  });
}

function showContents({ createdAt, oka, head, files, blobs }: BackupContents): readonly string[] {
  return [
    `created   ${showTime(createdAt)} UTC by Oka ${visible(oka)}`,
    `ledger    event ${head.seq} ${head.hash}`,
    `files     ${files}, ${blobs} of them artifacts`,
  ];
}

function showNotes(sign: string, notes: readonly Fault[]): readonly string[] {
  return notes.map(({ where, what }) => `${sign} ${visible(where)}: ${visible(what)}`);
}

const KEY_NOTE =
  'vault     included, without its key: keep OKA_HOME/keys, the keyring or the passphrase somewhere else';

function showCreated(answer: BackupCreateAnswer): string {
  return [
    `backup    ${visible(answer.file)} (${showBytes(answer.bytes)})`,
    ...showContents(answer),
    ...(answer.vault ? [KEY_NOTE] : []),
    ...showNotes('!', answer.warnings),
    `next      oka backup verify ${visible(answer.file)}`,
  ].join('\n');
}

function showVerified(answer: BackupVerifyAnswer): string {
  return [
    answer.ok
      ? `verified  ${visible(answer.file)}: every file has its digest, and the ledger of ${answer.events} events is whole`
      : `damaged   ${visible(answer.file)}: ${answer.faults.length} faults`,
    ...showNotes('✗', answer.faults),
    ...(answer.contents ? showContents(answer.contents) : []),
    ...(answer.contents?.vault ? [KEY_NOTE] : []),
    ...showNotes('!', answer.warnings),
  ].join('\n');
}

function showRestored(answer: BackupRestoreAnswer): string {
  return [
    `restored  ${visible(answer.workspace)}`,
    ...showContents(answer),
    ...(answer.kept === undefined ? [] : [`kept      the old workspace in ${visible(answer.kept)}`]),
    ...(answer.vault
      ? ['vault     restored; it opens with the key that it had when the backup was made']
      : []),
    ...showNotes('!', answer.warnings),
    'next      the workspace is not trusted yet; look at it, then run: oka init --trust',
  ].join('\n');
}
