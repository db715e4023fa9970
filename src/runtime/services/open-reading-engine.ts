import { FileArtifactStore } from '../../adapters/files/index.ts';
import { Engine } from '../../engine/index.ts';
import type { ReadPackText } from '../../memory/index.ts';
import { loadBehaviour } from './extensions.ts';
import type { WorkspaceServices } from './workspace-services.ts';

/** An engine that loads and explains runs and replays their decisions; it has nothing to act with. */
export async function openReadingEngine(services: WorkspaceServices): Promise<Engine> {
  const { folder, clock, random, owners, redactor } = services;
  const { events, runs } = services.ledger();
  const { behaviour } = await loadBehaviour();
  const moreTools = await services.moreTools();
  const readPack: ReadPackText = async (item) => (await services.packs()).read(item);
  return new Engine({
    ...behaviour({ models: NO_MODELS, moreTools, readPack }),
    ...{ events, runs, clock, random, owners, redactor },
    artifacts: new FileArtifactStore(folder.objects, clock),
  });
}

/** Decisions of models are read from the record. */
const NO_MODELS = {
  find: async (): Promise<never> => {
    throw new Error('an engine that only reads asks no model');
  },
};
