const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Files that Oka or another agent reads as instructions, in any folder. */
const NAMES: ReadonlySet<string> = new Set([
  'agents.md',
  'agents.override.md',
  'claude.md',
  'claude.local.md',
  'gemini.md',
  'policy.md',
  'skill.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  'copilot-instructions.md',
  '.mcp.json',
]);
/** Folders whose files are instructions: agents, skills, graphs and procedures of Oka, and rules of other agents. */
const FOLDERS: ReadonlySet<string> = new Set(['.oka', '.claude', '.cursor', '.agents']);

/** Whether a path is an instruction file, as a file system might match its names. */
export function isInstructionFile(path: string): boolean {
  const names = path.split(/[/\\]/).map(fold);
  return NAMES.has(names.at(-1) ?? '') || names.some((name) => FOLDERS.has(name));
}

/** Folds a name as a file system does that ignores case, invisible characters or trailing dots. */
function fold(name: string): string {
  return name
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}
