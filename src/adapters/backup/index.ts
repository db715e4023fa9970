export { type BackupErrorCode, toBackupError } from './backup-error.ts';
export {
  copyPeopleFiles,
  describeFile,
  readVault,
  writeLines,
  writeVault,
} from './copy-workspace.ts';
export { extractArchive, readBackupEntry } from './extract-archive.ts';
export {
  type BackupEntry,
  type BackupManifest,
  blobPath,
  DATABASE,
  MIRROR,
  VAULT,
  whyLeftOut,
} from './manifest.ts';
export {
  checkTarget,
  hasLedger,
  placeWorkspace,
  publishArchive,
  reachFolder,
  recordedProcesses,
} from './place-workspace.ts';
export {
  discardStaged,
  recoverRestores,
  stageAttempt,
  stageBackup,
  stagedArchive,
  stageRestore,
  stageVerification,
} from './staging-folder.ts';
export { writeArchive } from './write-archive.ts';
