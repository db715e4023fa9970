// Every extension point of Oka, in one place. Adding a tool, a kind of run or a folded table is one new file and one
// line here; CONTRIBUTING.md has a recipe for each.
import { maintenanceProjection } from '../../assistant/index.ts';
import { chatProjection } from '../../chat/index.ts';
import { blobsOfContextEvent, frameProjection, rootProjection } from '../../context/index.ts';
import {
  blobsOfRunEvent,
  contentProjection,
  runProjection,
  simulationProjection,
} from '../../engine/index.ts';
import { graphStateProjection } from '../../graph/index.ts';
import type { LedgerEvent, Projection } from '../../ledger/index.ts';
import { factUseProjection, memoryProjection, procedureProjection } from '../../memory/index.ts';
import { scheduleProjection } from '../../schedule/index.ts';
import { vaultProjection } from '../../vault/index.ts';

/** Tables folded from the ledger. */
export const PROJECTIONS: readonly Projection[] = [
  runProjection,
  simulationProjection,
  graphStateProjection,
  scheduleProjection,
  vaultProjection,
  memoryProjection,
  factUseProjection,
  procedureProjection,
  frameProjection,
  rootProjection,
  maintenanceProjection,
  chatProjection,
  contentProjection,
];

/** The digests of the blobs in `.oka/objects` that an event needs. */
export function blobsOf(event: LedgerEvent): readonly string[] {
  return [...blobsOfRunEvent(event), ...blobsOfContextEvent(event)];
}

/** Tools and kinds of runs load what they need; commands that only read the ledger do not pay for them. */
export const loadBehaviour = () => import('./behaviour.ts');
