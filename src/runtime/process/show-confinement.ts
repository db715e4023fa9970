import type { Json } from '../../kernel/index.ts';
import { describeSandbox, type SandboxDetails } from '../../tools/index.ts';

/** In which sandbox a program ran, from the output of its call; undefined for other calls. */
export function showConfinement(output: Json | undefined): string | undefined {
  const details = (output as { confinement?: SandboxDetails } | null | undefined)?.confinement;
  return details?.kind === undefined ? undefined : `ran in ${describeSandbox(details)}`;
}
