import type { Json } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import type { RunEventBodies, RunEventData } from './run-events.ts';
import type { ArtifactRef } from './types.ts';

/** The digests of the artifacts that a run event references. */
export function blobsOfRunEvent(event: LedgerEvent): readonly string[] {
  switch (event.type) {
    case 'run.started': {
      const body = event.body as unknown as RunEventBodies['run.started'] | undefined;
      return [...pinned(event), ...digestsOf(body?.base?.artifacts)];
    }
    case 'run.repinned':
      return pinned(event);
    case 'artifacts.emitted':
      return digestsOf(event.body as unknown as readonly ArtifactRef[] | undefined);
    case 'tool.intended':
    case 'tool.completed':
    case 'tool.failed':
      return preimages((event.body as { preimage?: Json } | undefined)?.preimage);
    default:
      return [];
  }
}

function pinned(event: LedgerEvent): readonly string[] {
  const { pins } = event.data as unknown as RunEventData['run.repinned'];
  return [pins.graph, pins.tools];
}

function digestsOf(refs: readonly ArtifactRef[] | undefined): readonly string[] {
  return (refs ?? []).map(({ digest }) => digest);
}

/** The form of a preimage depends on its tool; fields named `artifact` reference the content that undo needs. */
function preimages(value: Json | undefined): readonly string[] {
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap(preimages);
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'artifact' && typeof part === 'string' ? [part] : preimages(part),
  );
}
