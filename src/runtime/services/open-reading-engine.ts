import { Engine } from '../../engine/index.ts';
import type { ReadPackText } from '../../memory/index.ts';
import { openArtifacts } from '../ledger/open-artifacts.ts';
import { loadBehaviour } from './extensions.ts';
import type { WorkspaceServices } from './workspace-services.ts';

/** An engine that loads and explains runs and replays their decisions; it has nothing to act with. */
export async function openReadingEngine(services: WorkspaceServices): Promise<Engine> {
  const { clock, random, owners, redactor } = services;
  const ledger = services.ledger();
  const { events, runs } = ledger;
  const { behaviour } = await loadBehaviour();
  const moreTools = await services.moreTools();
  const readPack: ReadPackText = async (item) => (await services.packs()).read(item);
  return new Engine({
    ...behaviour({ models: NO_MODELS, moreTools, readPack }),
    ...{ events, runs, clock, random, owners, redactor },
    artifacts: openArtifacts(services, ledger),
  });
}

/** Decisions of models are read from the record. */
const NO_MODELS = {
  find: async (): Promise<never> => {
    throw new Error('an engine that only reads asks no model');
  },
};
