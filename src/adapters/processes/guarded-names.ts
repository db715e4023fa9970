import { lstat, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { systemRandom } from '../../kernel/index.ts';

/** Files that only people may create in a workspace. An absent file cannot be bound, so it is checked afterwards. */
const GUARDED = ['.oka', '.git', 'POLICY.md', '.mcp.json', '.git/commondir', '.git/config.worktree'];

/** Records which guarded names are absent before a program runs. The returned function moves aside what the program created. */
export async function watchGuardedNames(workspace: string): Promise<() => Promise<readonly string[]>> {
  if (await exists(join(workspace, '.git/HEAD')))
    await mkdir(join(workspace, '.git/hooks'), { recursive: true });
  const absent: string[] = [];
  for (const name of GUARDED) if (!(await exists(join(workspace, name)))) absent.push(name);
  return async () => {
    const moved: string[] = [];
    for (const name of absent) {
      const path = join(workspace, name);
      if (!(await exists(path))) continue;
      const aside = `${name}.refused-${systemRandom.hex(4)}`;
      await rename(path, join(workspace, aside));
      moved.push(`only people may create ${name}, so what the program put there was moved to ${aside}`);
    }
    return moved;
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
