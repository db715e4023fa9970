import type { Tool } from '../engine/index.ts';
import { chooseWithModel, completeWithModel } from './complete-with-model.ts';
import { listFiles } from './list-files.ts';
import { priorRuns } from './prior-runs.ts';
import { readFile } from './read-file.ts';
import { readState } from './read-state.ts';
import { runChildren } from './run-children.ts';
import { searchFiles } from './search-files.ts';
import { wait } from './wait.ts';
import { waitEvent } from './wait-event.ts';
import { writeFile } from './write-file.ts';
import { writeState } from './write-state.ts';

/**
 * Every tool that comes with Oka. They take the capabilities `files`, `artifacts`, `state` and `models`. A new tool is
 * one line here.
 */
export function builtInTools(): readonly Tool[] {
  return [
    readFile,
    listFiles,
    searchFiles,
    writeFile,
    readState,
    writeState,
    priorRuns,
    completeWithModel,
    chooseWithModel,
    wait,
    waitEvent,
    runChildren,
  ];
}
