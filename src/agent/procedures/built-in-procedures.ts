import { briefFolder } from '../brief-folder.ts';
import type { Procedure } from '../types.ts';
import { checkLinks } from './check-links.ts';
import { collectMatches } from './collect-matches.ts';
import { collectTodos } from './collect-todos.ts';
import { compareFolders } from './compare-folders.ts';
import { findDuplicates } from './find-duplicates.ts';
import { findLargeFiles } from './find-large-files.ts';
import { renameFiles } from './rename-files.ts';
import { runTests } from './run-tests.ts';
import { summariseData } from './summarise-data.ts';
import { convertTable } from './tables/convert-table.ts';
import { mergeTables } from './tables/merge-tables.ts';
import { tableFigures } from './tables/table-figures.ts';
import { tableRows } from './tables/table-rows.ts';
import { checkDataFile } from './texts/check-data-file.ts';
import { countText } from './texts/count-text.ts';
import { extractText } from './texts/extract-text.ts';
import { formatJson } from './texts/format-json.ts';
import { jsonValue } from './texts/json-value.ts';
import { logErrors } from './texts/log-errors.ts';
import { outlineMarkdown } from './texts/outline-markdown.ts';
import { replaceText } from './texts/replace-text.ts';
import { textLines } from './texts/text-lines.ts';

/** Every procedure that comes with Oka. A new one is one line here. */
export const BUILT_IN_PROCEDURES: readonly Procedure[] = [
  briefFolder,
  summariseData,
  collectTodos,
  collectMatches,
  findLargeFiles,
  findDuplicates,
  compareFolders,
  checkLinks,
  runTests,
  renameFiles,
  convertTable,
  mergeTables,
  tableFigures,
  tableRows,
  checkDataFile,
  countText,
  extractText,
  formatJson,
  jsonValue,
  logErrors,
  outlineMarkdown,
  replaceText,
  textLines,
];
