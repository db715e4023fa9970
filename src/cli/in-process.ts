import type { OkaApi } from '../api/index.ts';
import { answersAreChecked } from '../config/index.ts';

/** Opens Oka in this process. Loaded lazily, because few commands need it. */
export async function openInProcess(options: {
  readonly workspace: string;
  readonly home: string;
  readonly onRepaired: (what: string) => void;
  readonly onIncomplete: (what: string) => void;
  readonly onWithheld: (what: string) => void;
  readonly onWarning: (what: string) => void;
}): Promise<OkaApi> {
  const { Oka } = await import('../runtime/index.ts');
  const oka = new Oka(options);
  if (!answersAreChecked()) return oka;
  return (await import('../api/index.ts')).checkedOka(oka);
}
