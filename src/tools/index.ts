export { builtInTools } from './built-in-tools.ts';
export type { ChatDesk } from './chat/ports.ts';
export type { RefusalReader } from './check-acceptance.ts';
export type { ContextDesk } from './context/ports.ts';
export type { ToolsErrorCode } from './errors.ts';
export {
  type Http,
  type HttpAnswer,
  type HttpMethod,
  type HttpRequest,
  isCredentialHeader,
} from './http-ports.ts';
export type { EnvironmentErrorCode } from './installs/errors.ts';
export { MissingDependencies, withInstalls } from './installs/missing-dependencies.ts';
export { canonicalPackage, isWithin } from './installs/package-name.ts';
export type { Installer } from './installs/ports.ts';
export type { InstalledPackage, InstallOrder, LockedPackage } from './installs/types.ts';
export { cleanText } from './mcp/clean-text.ts';
export { describeChanges } from './mcp/describe-changes.ts';
export type { McpErrorCode } from './mcp/errors.ts';
export { faceOfLaunch, hashServer } from './mcp/hash-server.ts';
export { fillLaunch } from './mcp/launch-templates.ts';
export { mcpTools } from './mcp/mcp-tools.ts';
export type { McpServers, ServerAnswer } from './mcp/ports.ts';
export type { ServerApproval, ServerLaunch, ServerTool } from './mcp/types.ts';
export type { MemoryKeeper } from './memory/ports.ts';
export type { ModelDirectory } from './model-ports.ts';
export type {
  EntryKind,
  FileContent,
  FileEntry,
  FileListing,
  Files,
  FileVersion,
  ListOptions,
} from './ports.ts';
export type { Processes, ProcessRequest, ProcessResult } from './process-ports.ts';
export type { GraphRunner } from './run-graph.ts';
export { refuseShell } from './shell-command.ts';
export { chooseSkills } from './skills/choose-skills.ts';
export { parseSkill } from './skills/parse-skill.ts';
export type { SkillLibrary, SkillSummary, SkillText } from './skills/ports.ts';
export { normalSkillName } from './skills/skill-name.ts';
export type {
  FoundSkill,
  Skill,
  SkillProblem,
  SkillProblemCode,
  SkillSource,
  SkillsErrorCode,
} from './skills/types.ts';
export type { StateReader } from './state-ports.ts';
