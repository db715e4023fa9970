import { DEFAULT_CHAIN_LIMITS } from '../../chat/index.ts';
import { type ConfigFiles, loadConfig, type OkaConfig } from '../../config/index.ts';
import { DEFAULT_LIMITS } from '../../engine/index.ts';

const warned = new WeakMap<object, Set<string>>();

/** Loads the configuration of a workspace, and warns once of models of the project that are ignored. */
export async function loadWorkspaceConfig(
  files: Omit<ConfigFiles, 'defaults'>,
  workspace: { readonly warn: (message: string) => void },
): Promise<OkaConfig> {
  const defaults = { limits: DEFAULT_LIMITS, chat: { ...DEFAULT_CHAIN_LIMITS } };
  const config = await loadConfig({ ...files, defaults });
  const known = warned.get(workspace) ?? new Set<string>();
  warned.set(workspace, known);
  for (const name of config.shadowedModels ?? []) {
    if (known.has(name)) continue;
    known.add(name);
    workspace.warn(
      `The project's model "${name}" is ignored, because that name is already yours. Rename it in .oka/config.json.`,
    );
  }
  return config;
}
