import { describeChange } from '../../engine/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { ProcessRequest } from '../../tools/index.ts';
import type { WorkspacePrograms } from './workspace-programs.ts';

/**
 * Fails if the program or a bound file is not the one that the call was allowed with. Called right before the program starts;
 * what remains is the time that the system needs to start it.
 */
export async function checkBinding(
  programs: WorkspacePrograms,
  { argv, binding }: ProcessRequest,
  cwd: string,
): Promise<void> {
  if (binding === undefined) return;
  const { part } = binding;
  const files = await programs.identify(argv, cwd, part);
  const change = describeChange(binding, { part, files });
  if (change === undefined) return;
  throw new OkaError('engine.binding_changed', `${change} right before it was used`, {
    data: { program: argv[0] ?? '', change },
  });
}
