// Owns: real calls that find out whether a model answers and what it can do.
import { ConfiguredModels, pingModel, probeModel } from '../../adapters/models/index.ts';
import type { ModelTestView } from '../../api/index.ts';
import type { OkaConfig } from '../../config/index.ts';
import type { FoundModel } from '../../models/index.ts';
import type { ModelSources } from './agent-models.ts';

type Models = Pick<OkaConfig, 'models' | 'prices'>;

/** How long a tested model may be silent, unless it is configured. A local model may have to be loaded first. */
const TEST_QUIET_MS = 60_000;
/** How long `doctor` waits for a model. */
const PING_QUIET_MS = 15_000;

/** Streams an answer, requests a tool call, and requests JSON. Fails with what is wrong with the model. */
export async function testModel(sources: ModelSources, models: Models, name: string): Promise<ModelTestView> {
  const { found, provider } = await openAlone(sources, models, name, TEST_QUIET_MS);
  const { model, contextTokens } = found;
  const about = {
    name,
    model: `${provider}/${model}`,
    ...(contextTokens === undefined ? {} : { contextTokens }),
  };
  if (provider === 'scripted') return { ...about, streaming: true, tools: true, json: true, notes: [] };
  const { signal } = new AbortController();
  const probe = await probeModel(found.provider, { model, clock: sources.clock, signal });
  return { ...about, ...probe, notes: testNotes(probe) };
}

/** Asks a model for one short answer. Fails with what is wrong with it. */
export async function askBriefly(sources: ModelSources, models: Models, name: string): Promise<number> {
  const { found, provider } = await openAlone(sources, models, name, PING_QUIET_MS);
  const startedAt = sources.clock.now();
  if (provider !== 'scripted')
    await pingModel(found.provider, {
      model: found.model,
      clock: sources.clock,
      signal: new AbortController().signal,
    });
  return sources.clock.now() - startedAt;
}

type Abilities = Pick<ModelTestView, 'streaming' | 'tools' | 'json'>;

/** What to record of a test: only what the model cannot do. */
export function inabilities({ streaming, tools, json }: Abilities): Partial<Abilities> {
  return {
    ...(streaming ? {} : { streaming: false }),
    ...(tools ? {} : { tools: false }),
    ...(json ? {} : { json: false }),
  };
}

/** What Oka does about what a model cannot do. */
function testNotes({ streaming, tools, json }: Abilities): readonly string[] {
  return [
    ...(streaming ? [] : ['It does not stream. Answers appear when they are complete.']),
    ...(tools ? [] : ['It cannot call tools. Oka describes the tools in the prompt instead.']),
    ...(json
      ? []
      : ['It does not keep to a JSON schema. Oka asks for JSON in the prompt and checks the answer.']),
  ];
}

/** One model without its fallbacks, without retries, and without what an earlier test recorded. */
async function openAlone(
  sources: ModelSources,
  { models, prices }: Models,
  name: string,
  quietMs: number,
): Promise<{ readonly found: FoundModel; readonly provider: string }> {
  const entry = models[name];
  const plain = entry === undefined || entry.provider === 'scripted' ? entry : withoutFindings(entry);
  const directory = new ConfiguredModels({
    ...sources,
    models: plain === undefined ? {} : { [name]: plain },
    prices,
    defaultModel: undefined,
    attempts: 1,
    quietMs,
  });
  const [provider = ''] = (directory.nameOf(name) ?? '').split('/');
  return { found: await directory.find(name), provider };
}

function withoutFindings<
  Entry extends { fallback?: unknown; streaming?: unknown; tools?: unknown; json?: unknown },
>(entry: Entry): Omit<Entry, 'fallback' | 'streaming' | 'tools' | 'json'> {
  const { fallback: _f, streaming: _s, tools: _t, json: _j, ...plain } = entry;
  return plain;
}
