export { builtInTools } from './built-in-tools.ts';
export { defineTool } from './define-tool.ts';
export type { ToolsErrorCode } from './errors.ts';
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
export type { PriorRun, StateReader } from './state-ports.ts';
