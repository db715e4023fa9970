import type { Tool } from '../engine/index.ts';
import type { Digest } from '../kernel/index.ts';
import { sendMessage } from './chat/send-message.ts';
import { checkAcceptance } from './check-acceptance.ts';
import { chooseWithModel, completeWithModel } from './complete-with-model.ts';
import { compose } from './context/compose.ts';
import { generateFrame } from './context/generate-frame.ts';
import { getNode } from './context/get-node.ts';
import { putFrame } from './context/put-frame.ts';
import { synthesize } from './context/synthesize.ts';
import { deleteFile } from './delete-file.ts';
import { editFile } from './edit-file.ts';
import { fetchUrl } from './fetch-url.ts';
import { archiveFiles } from './file-sets/archive-files.ts';
import { copyFiles } from './file-sets/copy-files.ts';
import { deleteFiles } from './file-sets/delete-files.ts';
import { makeFolders } from './file-sets/make-folders.ts';
import { mergeFiles } from './file-sets/merge-files.ts';
import { moveFiles } from './file-sets/move-files.ts';
import { surveyFiles } from './file-sets/survey-files.ts';
import { unpackArchive } from './file-sets/unpack-archive.ts';
import { installDependency } from './install-dependency.ts';
import { listFiles } from './list-files.ts';
import { forget } from './memory/forget.ts';
import { listFacts } from './memory/list-facts.ts';
import { recall } from './memory/recall.ts';
import { remember } from './memory/remember.ts';
import { moveFile } from './move-file.ts';
import { priorRuns } from './prior-runs.ts';
import { readFile } from './read-file.ts';
import { readState } from './read-state.ts';
import { cancelReminders, listReminders, setReminder } from './reminders/reminder-tools.ts';
import { reviewWork } from './review-work.ts';
import { PINNED_DIGESTS } from './reworded-tools.ts';
import { runChildren } from './run-children.ts';
import { runGraph } from './run-graph.ts';
import { runProcess } from './run-process.ts';
import { searchFiles } from './search-files.ts';
import { readSkill } from './skills/read-skill.ts';
import { timeNow } from './time/time-now.ts';
import { wait } from './wait.ts';
import { waitEvent } from './wait-event.ts';
import { writeFile } from './write-file.ts';
import { writeResult } from './write-result.ts';
import { writeState } from './write-state.ts';

/** All built-in tools. A new tool is one line here. */
export function builtInTools(): readonly Tool[] {
  const tools: readonly Tool[] = [
    readFile,
    listFiles,
    searchFiles,
    writeFile,
    writeResult,
    editFile,
    moveFile,
    deleteFile,
    surveyFiles,
    copyFiles,
    moveFiles,
    deleteFiles,
    makeFolders,
    mergeFiles,
    archiveFiles,
    unpackArchive,
    runProcess,
    fetchUrl,
    readSkill,
    remember,
    recall,
    listFacts,
    forget,
    readState,
    writeState,
    sendMessage,
    priorRuns,
    completeWithModel,
    chooseWithModel,
    timeNow,
    setReminder,
    listReminders,
    cancelReminders,
    wait,
    waitEvent,
    runChildren,
    checkAcceptance,
    reviewWork,
    installDependency,
    runGraph,
    getNode,
    putFrame,
    synthesize,
    compose,
    generateFrame,
  ];
  return tools.map((tool) => {
    const pinnedDigest = PINNED_DIGESTS[tool.name] as Digest | undefined;
    return pinnedDigest === undefined ? tool : { ...tool, pinnedDigest };
  });
}
