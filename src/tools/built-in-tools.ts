import type { Tool } from '../engine/index.ts';
import { listFiles } from './list-files.ts';
import { readFile } from './read-file.ts';
import { runChildren } from './run-children.ts';
import { searchFiles } from './search-files.ts';
import { wait } from './wait.ts';
import { waitEvent } from './wait-event.ts';
import { writeFile } from './write-file.ts';

/** Every tool that comes with Oka. They take the capabilities `files` and `artifacts`. A new tool is one line here. */
export function builtInTools(): readonly Tool[] {
  return [readFile, listFiles, searchFiles, writeFile, wait, waitEvent, runChildren];
}
