export { digestOfFile, digestOfFileNow } from './file-digest.ts';
export { withFileLock } from './file-lock.ts';
export { fileVersion } from './file-version.ts';
export { isBelow } from './is-below.ts';
export { isProgram } from './is-program.ts';
export { namedFiles } from './named-files.ts';
export {
  linkRefused,
  makePrivateFolder,
  replaceFile,
  syncPath,
  syncTree,
  writeNewFile,
} from './private-files.ts';
export { isRecorded, markFile } from './recorded-files.ts';
export { type FileRefusal, readJsonFile, readRegularFile, readTextFile } from './regular-file.ts';
export { isLeftBehind, isRunning, isTemporary, temporaryFor } from './temporary-files.ts';
export { accountHome, NO_HOME, userHome, userName, userNumber } from './user-account.ts';
