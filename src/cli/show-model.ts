import type { AddModelAnswer, ModelList, ModelPriceView, ModelTestView, OfferedModel } from '../api/index.ts';
import { table } from './format.ts';
import { visible } from './printer.ts';

/** Such as `128k`. */
function showContext(tokens: number): string {
  return tokens >= 1_000_000
    ? `${Number((tokens / 1_000_000).toFixed(1))}M`
    : `${Math.round(tokens / 1_000)}k`;
}

/** Such as `$0.25 / $2.00`. */
export function showPrice({ input, output }: ModelPriceView): string {
  return input === 0 && output === 0 ? 'free' : `${dollars(input)} / ${dollars(output)}`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(Number.isInteger(amount * 100) ? 2 : 3)}`;
}

/** What the provider says about a model it offers. */
export function showOffer({ contextTokens, tools, price }: OfferedModel): string {
  return [
    ...(contextTokens === undefined ? [] : [`${showContext(contextTokens)} context`]),
    ...(tools === undefined ? [] : [tools ? 'tools' : 'no tools']),
    ...(price === undefined ? [] : [`${showPrice(price)} per 1M tokens`]),
  ].join(' · ');
}

/** Such as `✓ answered in 0.8 s · streaming ✓ · tools ✓ · JSON ✓`. */
export function showTest({
  answeredMs,
  streaming,
  tools,
  json,
  contextTokens,
  notes,
}: ModelTestView): string {
  const mark = (name: string, can: boolean): string => `${name} ${can ? '✓' : '✗'}`;
  const line = [
    answeredMs === undefined
      ? '✓ scripted, nothing to call'
      : `✓ answered in ${(answeredMs / 1_000).toFixed(1)} s`,
    mark('streaming', streaming),
    mark('tools', tools),
    mark('JSON', json),
    ...(contextTokens === undefined ? [] : [`${showContext(contextTokens)} context`]),
  ].join(' · ');
  return [line, ...notes.map((note) => `  ${note}`)].join('\n');
}

export function showAdded(
  { name, model, default: chosen, key, test }: AddModelAnswer,
  provider: string,
): string {
  return [
    ...(test === undefined ? [] : [showTest(test)]),
    ...(key === 'vault' ? [`API key: stored in the vault, for ${provider} only`] : []),
    ...(chosen === name
      ? []
      : [`Added ${visible(name)}. To make it the default: oka model use ${visible(name)}`]),
    `Default model for all workspaces: ${visible(chosen === name ? model : chosen)}`,
  ].join('\n');
}

export function showModels({ models, pricesAsOf }: ModelList): string {
  if (models.length === 0) return 'No model is configured. Add one: oka model add';
  const rows = models.map(({ name, model, isDefault, from, contextTokens, price, priceFrom, ...can }) => [
    isDefault ? '*' : '',
    visible(name),
    name === model ? '' : visible(model),
    contextTokens === undefined ? 'unknown' : showContext(contextTokens),
    price === undefined ? 'unknown' : `${showPrice(price)}${priceNote(priceFrom)}`,
    [can.streaming ? 'streaming' : '', can.tools ? 'tools' : '', can.json ? 'JSON' : '']
      .filter(Boolean)
      .join(' '),
    from === 'project' ? 'workspace' : '',
  ]);
  const head = ['', 'name', 'model', 'context', 'price per 1M', 'can', 'from'];
  const used = head.map((title, i) => title === '' || rows.some((row) => row[i] !== ''));
  const pick = (cells: readonly string[]): readonly string[] => cells.filter((_, i) => used[i]);
  const isPublished = models.some(({ priceFrom }) => priceFrom === 'published');
  return [
    table(pick(head), rows.map(pick)),
    '',
    '* is the default. Change it: oka model use <name>',
    ...(isPublished
      ? [`Prices are published list prices of ${pricesAsOf}. Set your own: oka model price <provider/model>`]
      : []),
    ...(models.some(({ priceFrom }) => priceFrom === 'assumed')
      ? [
          'An assumed price is the highest published one, so that cost limits hold. Set the real one: oka model price <provider/model>',
        ]
      : []),
  ].join('\n');
}

function priceNote(from: ModelList['models'][number]['priceFrom']): string {
  if (from === 'user') return ' (yours)';
  return from === 'assumed' ? ' (assumed)' : '';
}
