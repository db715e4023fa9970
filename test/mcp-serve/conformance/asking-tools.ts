// Oka's server never asks the client back: what needs a person waits for `oka approvals`. The suite wants tools that do,
// so these are put on top of it here, to show that the transports carry such conversations.
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { McpOffer, OfferedTool } from '../../../src/adapters/mcp-server/index.ts';
import { getPrompt } from '../../../src/adapters/mcp-server/prompt-handlers.ts';
import { callTool } from '../../../src/adapters/mcp-server/tool-handlers.ts';
import type { JsonObject } from '../../../src/kernel/index.ts';
import { fixtureTool } from './fixture-offer.ts';

type Answer = CallToolResult | InputRequiredResult;
type Asking = (context: ServerContext, input: Readonly<Record<string, unknown>>) => Answer | Promise<Answer>;

const codec = createRequestStateCodec<string>({
  key: 'a key for the conformance suite, and for nothing else',
});

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const form = (properties: Record<string, unknown>) => ({
  type: 'object' as const,
  properties: properties as never,
  required: Object.keys(properties),
});
const ask = (message: string, properties: Record<string, unknown>) =>
  inputRequired.elicit({ message, requestedSchema: form(properties) });
const sample = (text: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });

function given(context: ServerContext, key: string): unknown {
  return context.mcpReq.inputResponses?.[key];
}

/** Asks for one thing; answers with what came back. */
function once(
  key: string,
  request: (input: Readonly<Record<string, unknown>>) => never,
  told: string,
): Asking {
  return (context, input) => {
    const answer = given(context, key);
    return answer === undefined
      ? inputRequired({ inputRequests: { [key]: request(input) } })
      : said(`${told}${JSON.stringify(answer)}`);
  };
}

async function state(context: ServerContext): Promise<string | undefined> {
  const raw = context.mcpReq.requestState<string>();
  if (raw === undefined) return undefined;
  try {
    return await codec.verify(raw, context);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'this state is none of ours');
  }
}

const confirm = ask('Please confirm', { ok: { type: 'boolean' } });

const withState: Asking = async (context) => {
  const kept = await state(context);
  return kept === undefined
    ? inputRequired({ inputRequests: { confirm }, requestState: await codec.mint('confirming') })
    : said('state-ok');
};

const name = ask('What is your name?', { name: { type: 'string' } });

const ASKING: Readonly<Record<string, Asking>> = {
  test_sampling: once('answer', ({ prompt }) => sample(String(prompt)) as never, 'LLM response: '),
  test_elicitation: once(
    'answer',
    ({ message }) =>
      ask(String(message), {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }) as never,
    'User response: ',
  ),
  test_elicitation_sep1034_defaults: once(
    'answer',
    () =>
      ask('Fill in', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }) as never,
    'Elicitation completed: ',
  ),
  test_elicitation_sep1330_enums: once(
    'answer',
    () => ask('Choose', ENUMS) as never,
    'Elicitation completed: ',
  ),
  test_streaming_elicitation: once('user_name', () => name as never, 'Hello, '),
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_input_required_result_elicitation: (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_name');
    return typeof answer?.['name'] === 'string'
      ? said(`Hello, ${answer['name']}!`)
      : inputRequired({ inputRequests: { user_name: name } });
  },
  test_input_required_result_sampling: once(
    'capital_question',
    () => sample('What is the capital of France?') as never,
    'The answer: ',
  ),
  test_input_required_result_list_roots: once(
    'client_roots',
    () => inputRequired.listRoots() as never,
    'The roots: ',
  ),
  test_input_required_result_request_state: withState,
  test_input_required_result_tampered_state: withState,
  test_input_required_result_multiple_inputs: async (context) => {
    if ((await state(context)) !== undefined && given(context, 'greeting') !== undefined)
      return said('all there');
    return inputRequired({
      inputRequests: {
        user_name: name,
        greeting: sample('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint('several'),
    });
  },
  test_input_required_result_multi_round: async (context) => {
    const kept = await state(context);
    if (kept === 'second') return said('done');
    return kept === 'first'
      ? inputRequired({
          inputRequests: {
            step2: ask('Step 2: What is your favorite color?', { color: { type: 'string' } }),
          },
          requestState: await codec.mint('second'),
        })
      : inputRequired({
          inputRequests: { step1: ask('Step 1: What is your name?', { name: { type: 'string' } }) },
          requestState: await codec.mint('first'),
        });
  },
  test_input_required_result_capabilities: (context) => {
    const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
    const can = (envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}) as Record<string, unknown>;
    return inputRequired({
      inputRequests: {
        ...('sampling' in can ? { greeting: sample('Generate a greeting') } : {}),
        ...('elicitation' in can ? { user_name: name } : {}),
      },
    });
  },
};

const CHOICES = ['option1', 'option2', 'option3'];
const titled = (kind: string) =>
  ['value1', 'value2', 'value3'].map((value) => ({ const: value, title: `${kind} ${value}` }));
const ENUMS = {
  untitledSingle: { type: 'string', enum: CHOICES },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: CHOICES } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
};

const ARGUMENTS: Readonly<Record<string, JsonObject>> = {
  test_sampling: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};

/** The tools that ask, as they are listed. */
export const askingTools: readonly OfferedTool[] = Object.keys(ASKING).map((tool) =>
  fixtureTool(tool, ARGUMENTS[tool] ?? { type: 'object', properties: {} }),
);

/** Lets a server ask back; everything else goes where it went. */
export function askBack(server: Server, offer: McpOffer): void {
  server.setRequestHandler('tools/call', (request, context) => {
    const asking = ASKING[request.params.name];
    return asking
      ? asking(context, request.params.arguments ?? {})
      : callTool(server, offer, request, context);
  });
  server.setRequestHandler('prompts/get', async (request, context) => {
    if (request.params.name !== ASKING_PROMPT) return getPrompt(offer, request);
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_context');
    if (answer === undefined) return inputRequired({ inputRequests: { user_context: CONTEXT } });
    const text = `Answer in this context: ${String(answer['context'])}`;
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

const ASKING_PROMPT = 'test_input_required_result_prompt';
const CONTEXT = ask('What context should the prompt use?', { context: { type: 'string' } });
