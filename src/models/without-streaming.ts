import type { ModelProvider } from './ports.ts';

/** Asks a provider that cannot stream for whole answers. */
export function withoutStreaming(provider: ModelProvider): ModelProvider {
  const { embed } = provider;
  return {
    name: provider.name,
    complete: (request, signal) => provider.complete(request, signal),
    async *stream(request, signal) {
      const answer = await provider.complete(request, signal);
      if (answer.text !== '') yield { kind: 'text', text: answer.text };
      yield { kind: 'answer', answer };
    },
    ...(embed && { embed: (texts, signal) => embed.call(provider, texts, signal) }),
  };
}
