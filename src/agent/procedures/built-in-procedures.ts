import type { Evidence } from '../../engine/index.ts';
import { type JsonObject, OkaError } from '../../kernel/index.ts';
import { briefFolder } from '../brief-folder.ts';
import type { Procedure } from '../types.ts';
import { archiveFiles, unpackArchive } from './archive-files.ts';
import { checkLinks } from './check-links.ts';
import { collectMatches } from './collect-matches.ts';
import { collectTodos } from './collect-todos.ts';
import { compareFolders } from './compare-folders.ts';
import { countLines } from './count-lines.ts';
import { deleteFiles } from './delete-files.ts';
import { diskUsage } from './disk-usage.ts';
import { deleteDuplicates, findDuplicates } from './find-duplicates.ts';
import { countFiles, findFiles, findLargeFiles } from './find-files.ts';
import { forgetFact } from './forget-fact.ts';
import { gitHistory } from './git-history.ts';
import { makeFolders } from './make-folders.ts';
import { cancelReminder, listReminders } from './manage-reminders.ts';
import { mergeFiles } from './merge-files.ts';
import { organiseFiles } from './organise-files.ts';
import { recallFacts } from './recall-facts.ts';
import { rememberFact } from './remember-fact.ts';
import { renameFiles } from './rename-files.ts';
import { runTests } from './run-tests.ts';
import { setReminder } from './set-reminder.ts';
import { summariseData } from './summarise-data.ts';
import { TABLE_AND_TEXT_PROCEDURES } from './table-and-text-procedures.ts';
import { tellTime } from './tell-time.ts';
import { copyFiles, moveFiles } from './transfer-files.ts';
import { whatChanged } from './what-changed.ts';

import { writeText } from './write-text.ts';

/** Every procedure that comes with Oka. A new one is one line here. */
export const BUILT_IN_PROCEDURES: readonly Procedure[] = [
  briefFolder,
  summariseData,
  collectTodos,
  collectMatches,
  countFiles,
  findFiles,
  findLargeFiles,
  findDuplicates,
  compareFolders,
  checkLinks,
  runTests,
  renameFiles,
  deleteDuplicates,
  diskUsage,
  countLines,
  copyFiles,
  moveFiles,
  deleteFiles,
  makeFolders,
  organiseFiles,
  archiveFiles,
  unpackArchive,
  mergeFiles,
  rememberFact,
  recallFacts,
  forgetFact,
  tellTime,
  setReminder,
  listReminders,
  cancelReminder,
  gitHistory,
  whatChanged,
  writeText,
  ...TABLE_AND_TEXT_PROCEDURES,
];

/** What a procedure writes to a file, from what its run has seen. */
export function procedureResult(
  name: string,
  {
    path,
    parameters,
    evidence,
  }: { readonly path: string; readonly parameters: JsonObject; readonly evidence: readonly Evidence[] },
): string {
  const procedure = BUILT_IN_PROCEDURES.find((one) => one.name === name);
  if (procedure?.result === undefined)
    throw new OkaError('engine.tool_input_invalid', `No procedure "${name}" has a result to write.`);
  return procedure.result(evidence, parameters, path);
}
