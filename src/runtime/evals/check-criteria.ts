import { checkableCriterion } from '../../assistant/index.ts';
import type { ToolRegistry } from '../../engine/index.ts';
import { type Acceptance, type CheckedAcceptance, NOT_OFFLINE } from '../../eval/index.ts';
import { asObject, type JsonObject } from '../../kernel/index.ts';
import { type CaseFiles, inMemory } from './case-files.ts';

export const CHECK = 'assistant.check';

/** The reason for a command: an eval has no effects, live or not. */
export const NO_COMMANDS = 'not checked: an eval runs no commands';

/** Checks the criteria for files on the files of a case. */
export async function checkCaseFiles(
  checked: readonly CheckedAcceptance[],
  conditions: readonly Acceptance[],
  files: CaseFiles,
  tools: Pick<ToolRegistry, 'get'>,
): Promise<readonly CheckedAcceptance[]> {
  const found: CheckedAcceptance[] = [];
  for (const [i, one] of checked.entries())
    found.push(await checkOne(one, conditions[i] as Acceptance, files, tools));
  return found;
}

async function checkOne(
  one: CheckedAcceptance,
  condition: Acceptance,
  files: CaseFiles,
  tools: Pick<ToolRegistry, 'get'>,
): Promise<CheckedAcceptance> {
  if (!('criterion' in condition) || one.holds !== null) return one;
  const { criterion } = condition;
  if ('command_exits_zero' in criterion) return { ...one, why: NO_COMMANDS };
  const path = pathIn(criterion);
  if (path === undefined || !checkableCriterion.safeParse(criterion).success) return one;
  const check = tools.get(CHECK);
  if (check === undefined) return one;
  if (!(await files.knows(path)))
    return { ...one, why: `${NOT_OFFLINE}: the case does not contain ${path} as the run leaves it` };
  const output = asObject((await check.handler({ criteria: [criterion] }, inMemory(files.files))) as never);
  const [{ ok, evidence } = { ok: false, evidence: '' }] = output['results'] as unknown as {
    readonly ok: boolean;
    readonly evidence: string;
  }[];
  const { criterion: text } = one;
  return ok ? { criterion: text, holds: true } : { criterion: text, holds: false, why: evidence };
}

/** The file that a criterion is about. */
function pathIn(criterion: JsonObject): string | undefined {
  const [about] = Object.values(criterion);
  const path = 'file_exists' in criterion ? about : asObject(about)['path'];
  return typeof path === 'string' ? path : undefined;
}
