import {
  type GetPromptRequest,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { didYouMean, nearestName } from '../../kernel/index.ts';
import { pageOf } from './page-of.ts';
import type { McpOffer, OfferedPrompt } from './ports.ts';

const MAX_COMPLETIONS = 100;

/** Registers the handlers that list, fill in and complete prompts. */
export function handlePrompts(server: Server, offer: McpOffer): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    const { items, ...page } = pageOf(await offer.prompts(), ({ name }) => name, params?.cursor);
    return { prompts: items.map(showPrompt), ...page };
  });
  server.setRequestHandler('prompts/get', (request) => getPrompt(offer, request));
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const of = ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri };
    const found = await offer.complete({ of, argument: argument.name, begun: argument.value });
    const values = found.slice(0, MAX_COMPLETIONS);
    return { completion: { values, total: found.length, hasMore: found.length > values.length } };
  });
}

export async function getPrompt(offer: McpOffer, { params }: GetPromptRequest): Promise<GetPromptResult> {
  const prompt = await requirePrompt(offer, params.name);
  const values = params.arguments ?? {};
  const missing = prompt.arguments.find(({ name, required }) => required && !Object.hasOwn(values, name));
  if (missing) throw refuse(`The prompt "${prompt.name}" needs the argument "${missing.name}".`);
  return { description: prompt.description, messages: [...(await offer.prompt(prompt.name, values))] };
}

async function requirePrompt(offer: McpOffer, name: string): Promise<OfferedPrompt> {
  const prompts = await offer.prompts();
  const found = prompts.find((prompt) => prompt.name === name);
  if (found) return found;
  const names = prompts.map((prompt) => prompt.name);
  const hint = didYouMean(nearestName(name, names), 'Request the list of prompts.');
  throw refuse(`No prompt "${name}". ${hint}`);
}

function refuse(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function showPrompt({ name, title, description, arguments: expected }: OfferedPrompt) {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    arguments: expected.map((argument) => ({
      name: argument.name,
      required: argument.required,
      ...(argument.description === undefined ? {} : { description: argument.description }),
    })),
  };
}
