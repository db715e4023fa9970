import type { ModelProvider } from '../models/index.ts';

/** Finds the model that a name stands for; handed in as the capability `models`. */
export interface ModelDirectory {
  /** The named model, or the default one. Throws `models.not_configured` when there is none. */
  find(name: string | undefined): Promise<{ readonly provider: ModelProvider; readonly model: string }>;
}
