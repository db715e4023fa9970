import { briefFolder } from '../brief-folder.ts';
import type { Procedure } from '../types.ts';
import { checkLinks } from './check-links.ts';
import { collectMatches } from './collect-matches.ts';
import { collectTodos } from './collect-todos.ts';
import { compareFolders } from './compare-folders.ts';
import { findDuplicates } from './find-duplicates.ts';
import { countFiles, findFiles, findLargeFiles } from './find-files.ts';
import { forgetFact } from './forget-fact.ts';
import { gitHistory } from './git-history.ts';
import { cancelReminder, listReminders } from './manage-reminders.ts';
import { recallFacts } from './recall-facts.ts';
import { rememberFact } from './remember-fact.ts';
import { renameFiles } from './rename-files.ts';
import { runTests } from './run-tests.ts';
import { setReminder } from './set-reminder.ts';
import { summariseData } from './summarise-data.ts';

import { tellTime } from './tell-time.ts';
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
];
