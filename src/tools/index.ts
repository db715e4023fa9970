export { builtInTools } from './built-in-tools.ts';
export type { MessageComposer } from './chat/send-message.ts';
export type { RefusalReader } from './check-acceptance.ts';
export { compareFiles } from './compare-files.ts';
export type { AgentVoice, FrameService } from './context/frame-tool.ts';
export { decodeText } from './decode-text.ts';
export { defineTool, type ToolDefinition } from './define-tool.ts';
export { FILES_ERROR_CODES, type ToolsErrorCode } from './errors.ts';
export { classifyGit } from './git-commands.ts';
export { GIT_SETTINGS_QUERY, type GitIdentity, gitEnvironment, hardenGit, isGit } from './harden-git.ts';
export { canonicalPackage, isWithin } from './installs/catalogue.ts';
export { MissingDependencies, withInstalls } from './installs/missing-dependencies.ts';
export type {
  EnvironmentErrorCode,
  InstalledPackage,
  Installer,
  InstallOrder,
  InstallRecord,
  LockedPackage,
  OwnProgram,
  RecordedFile,
} from './installs/types.ts';
export { cleanText } from './mcp/clean-text.ts';
export { describeChanges } from './mcp/describe-changes.ts';
export { faceOfLaunch, fillLaunch, hashServer } from './mcp/hash-server.ts';
export { mcpTools } from './mcp/mcp-tools.ts';
export type {
  McpErrorCode,
  McpServers,
  ServerAnswer,
  ServerApproval,
  ServerLaunch,
  ServerSnapshot,
  ServerTool,
} from './mcp/types.ts';
export type { MemoryService } from './memory/ports.ts';
export {
  type Draft,
  type DraftChange,
  type EntryKind,
  type FileChanges,
  type FileContent,
  type FileEntry,
  type FileListing,
  type Files,
  type FileVersion,
  type Http,
  type HttpAnswer,
  type HttpRequest,
  isCredentialHeader,
  type ListOptions,
  type ModelText,
  type NewState,
  type PathState,
  type Processes,
  type ProcessRequest,
  type ProcessResult,
  type ProgramOutput,
  type RedirectTarget,
  type StateReader,
  type WalkOptions,
} from './ports.ts';
export { applyDraft } from './programs/apply-draft.ts';
export type { ReminderService, ReminderView } from './reminders/ports.ts';
export type { WorkReader } from './review-work.ts';
export type { GraphRunner } from './run-graph.ts';
export {
  describeSandbox,
  type NetworkAccess,
  type ProgramLaunch,
  type SandboxAccess,
  type SandboxDetails,
} from './sandbox-access.ts';
export { refuseShell } from './shell-command.ts';
export { chooseSkills, normalSkillName, parseSkill } from './skills/parse-skill.ts';
export type { SkillLibrary, SkillSummary, SkillText } from './skills/read-skill.ts';
export type {
  FoundSkill,
  Skill,
  SkillProblem,
  SkillProblemCode,
  SkillSource,
  SkillsErrorCode,
} from './skills/types.ts';
export { unifiedDiff } from './unified-diff.ts';
export { watchFiles } from './watch-files.ts';
