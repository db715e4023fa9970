import { entryTerms } from '../../adapters/models/index.ts';
import type { ModelList, ModelView } from '../../api/index.ts';
import type { OkaConfig } from '../../config/index.ts';
import { didYouMean, nearestName, OkaError } from '../../kernel/index.ts';
import { PRICES_AS_OF } from '../../models/index.ts';

/** The configured models with what holds for each: price, context and abilities. */
export function listConfigured(config: OkaConfig, own: Readonly<Record<string, unknown>>): ModelList {
  const { models, prices, defaultModel } = config;
  const views = Object.entries(models).map(([name, entry]): ModelView => {
    const from = Object.hasOwn(own, name) ? 'user' : 'project';
    const isDefault = name === defaultModel;
    if (entry.provider === 'scripted') {
      const all = { streaming: true, tools: true, json: true };
      return { name, model: `scripted/${entry.script}`, provider: 'scripted', isDefault, from, ...all };
    }
    const { provider, model, baseUrl, streaming = true, tools = true, json = true } = entry;
    return {
      ...{ name, model: `${provider}/${model}`, provider, isDefault, from, streaming, tools, json },
      ...(baseUrl === undefined ? {} : { url: baseUrl }),
      ...entryTerms(entry, { models, prices }),
    };
  });
  return {
    models: views,
    ...(defaultModel === undefined ? {} : { default: defaultModel }),
    pricesAsOf: PRICES_AS_OF,
  };
}

/** The name of a configured model: as given, or of the only entry with that model. Without a name, the default one. */
export function requireConfigured({ models, defaultModel }: OkaConfig, named: string | undefined): string {
  const known = Object.keys(models);
  const name = named ?? defaultModel;
  if (name === undefined)
    throw new OkaError('models.not_configured', 'No model is configured. Add one: oka model add');
  if (Object.hasOwn(models, name)) return name;
  const same = Object.entries(models).filter(
    ([, entry]) =>
      entry.provider !== 'scripted' && [entry.model, `${entry.provider}/${entry.model}`].includes(name),
  );
  if (same.length === 1 && same[0] !== undefined) return same[0][0];
  const all =
    known.length === 0 ? 'Add one: oka model add' : `Configured: ${known.join(', ')}. Add one: oka model add`;
  const near = nearestName(name, known);
  throw new OkaError(
    'models.not_configured',
    `No model "${name}". ${near === undefined ? all : didYouMean(near, all)}`,
    {
      data: { model: name },
    },
  );
}
