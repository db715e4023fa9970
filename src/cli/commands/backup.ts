import { resolve } from 'node:path';
import type { Command } from 'commander';
import type {
  BackupContents,
  BackupCreateAnswer,
  BackupProgress,
  BackupRestoreAnswer,
  BackupVerifyAnswer,
  Fault,
} from '../../api/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { showBytes, showTime } from '../format.ts';
import { visible } from '../printer.ts';
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
      run((context) =>
        withProgress(context, async (watching) => {
          const { backup: api } = await context.open();
          const request = { file: fileIn(context, file), force: options.force ?? false };
          context.printer.answer(await api.create({ ...request, ...watching }), showCreated);
          return EXIT.ok;
        }),
      ),
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
      run((context) =>
        withProgress(context, async (watching) => {
          const { backup: api } = await context.open();
          const answer = await api.verify({ file: fileIn(context, file), ...watching });
          context.printer.answer(answer, showVerified);
          return answer.ok ? EXIT.ok : EXIT.integrity;
        }),
      ),
    );
  backup
    .command('restore')
    .description('Restore a workspace from a backup, whole or not at all')
    .argument('<file>', 'Archive')
    .option('--to <folder>', 'Restore into this folder instead of the current one')
    .option('--replace', 'Replace an existing workspace; the old one is kept')
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
    .action((file: string, options: { to?: string; replace?: boolean }) =>
      run((context) =>
        withProgress(context, async (watching) => {
          const { backup: api } = await context.open();
          const answer = await api.restore({
            file: fileIn(context, file),
            replace: options.replace ?? false,
            ...(options.to === undefined ? {} : { to: fileIn(context, options.to) }),
            ...watching,
          });
          context.printer.answer(answer, showRestored);
          return EXIT.ok;
        }),
      ),
    );
}

function fileIn(context: Context, path: string): string {
  return resolve(context.workspace, path);
}

interface Watching {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress) => void;
}

const PHASES: Readonly<Record<BackupProgress['phase'], string>> = {
  copy: 'Copying the database',
  verify: 'Verifying the ledger',
  write: 'Writing the archive',
  read: 'Reading the archive',
};

/** Shows progress in one line on a terminal and removes it at the end. */
async function withProgress(
  context: Context,
  work: (watching: Watching) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { output, json, quiet } = context.printer;
  const isShown = output.isTTY === true && !json && !quiet;
  let shown = '';
  const show = (text: string): void => {
    if (!isShown || text === shown) return;
    shown = text;
    output.write(`\r\u001b[2K${text}`);
  };
  const onProgress = ({ phase, done, total }: BackupProgress): void =>
    show(total === 0 ? `${PHASES[phase]} …` : `${PHASES[phase]} ${Math.floor((100 * done) / total)} %`);
  try {
    return await work({ signal: context.interrupted, onProgress });
  } catch (error) {
    if (!context.interrupted.aborted) throw error;
    show('');
    context.printer.message('Cancelled. Nothing was changed.');
    return EXIT.failed;
  } finally {
    show('');
  }
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
