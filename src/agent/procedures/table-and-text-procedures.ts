import type { Procedure } from '../types.ts';
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

/** The procedures over tables and over the content of text files. */
export const TABLE_AND_TEXT_PROCEDURES: readonly Procedure[] = [
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
