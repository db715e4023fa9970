// What the conformance suite expects to find on a server: tools, resources and prompts with names, words and pictures of
// its choosing, given through the same port as Oka's own.
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  CallContext,
  CallOutcome,
  McpOffer,
  OfferChange,
  OfferedPrompt,
  OfferedTool,
  ResourceContent,
} from '../../../src/adapters/mcp-server/index.ts';
import type { JsonObject } from '../../../src/kernel/index.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';
const PAUSE_MS = 50;

const picture = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const words = (text: string) => ({ type: 'text' as const, text });
const document = (uri: string, mimeType: string, text: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text },
});

type Handler = (
  context: CallContext,
  tell: (change: OfferChange) => void,
) => Promise<CallOutcome> | CallOutcome;

const HANDLERS: Readonly<Record<string, Handler>> = {
  test_simple_text: () => ({ ok: true, output: 'This is a simple text response for testing.' }),
  test_image_content: () => ({ ok: true, output: null, content: [picture] }),
  test_audio_content: () => ({
    ok: true,
    output: null,
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }),
  test_embedded_resource: () => ({
    ok: true,
    output: null,
    content: [document('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    ok: true,
    output: null,
    content: [
      words('Multiple content types test:'),
      picture,
      document('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_tool_with_logging: async ({ log }) => {
    log('info', 'Tool execution started');
    await sleep(PAUSE_MS);
    log('info', 'Tool processing data');
    await sleep(PAUSE_MS);
    log('info', 'Tool execution completed');
    return { ok: true, output: 'done' };
  },
  test_logging_tool: ({ log }) => {
    log('info', 'heard only by those who asked');
    return { ok: true, output: 'done' };
  },
  test_error_handling: () => ({
    ok: false,
    code: 'engine.tool_failed',
    message: 'This tool intentionally returns an error for testing',
  }),
  test_tool_with_progress: async ({ progress }) => {
    for (const done of [0, 50, 100]) {
      progress(done, `${done} of 100`, 100);
      await sleep(PAUSE_MS);
    }
    return { ok: true, output: 'done' };
  },
  test_trigger_tool_change: (_, tell) => {
    tell({ what: 'tools' });
    return { ok: true, output: 'done' };
  },
  test_trigger_prompt_change: (_, tell) => {
    tell({ what: 'prompts' });
    return { ok: true, output: 'done' };
  },
  json_schema_2020_12_tool: () => ({ ok: true, output: 'done' }),
};

const NOTHING: JsonObject = { type: 'object', properties: {} };
const INPUTS: Readonly<Record<string, JsonObject>> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};

const PROMPTS: readonly OfferedPrompt[] = [
  { name: 'test_simple_prompt', description: 'a prompt', arguments: [] },
  {
    name: 'test_prompt_with_arguments',
    description: 'a prompt with arguments',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'a prompt with a resource',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'a prompt with a picture', arguments: [] },
];

const RESOURCES: Readonly<Record<string, ResourceContent>> = {
  'test://static-text': {
    mediaType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { mediaType: 'image/png', base64: PNG },
  'test://watched-resource': { mediaType: 'text/plain', text: 'watched' },
};

/** An offer with all that the suite names, beside what must ask the client. */
export class FixtureOffer implements McpOffer {
  readonly #listeners = new Set<(change: OfferChange) => void>();
  readonly #more: readonly OfferedTool[];

  constructor(more: readonly OfferedTool[]) {
    this.#more = more;
  }

  async tools(): Promise<readonly OfferedTool[]> {
    return [
      ...Object.keys(HANDLERS).map((name) => fixtureTool(name, INPUTS[name] ?? NOTHING)),
      ...this.#more,
    ];
  }

  async call(name: string, _: JsonObject, context: CallContext): Promise<CallOutcome> {
    const handler = HANDLERS[name];
    if (handler === undefined) throw new Error(`${name} is not answered here`);
    return handler(context, (change) => {
      for (const listener of this.#listeners) listener(change);
    });
  }

  async resources() {
    return Object.entries(RESOURCES).map(([uri, { mediaType }]) => ({ uri, name: uri, mediaType }));
  }

  async templates() {
    return [{ template: 'test://template/{id}/data', name: 'template', mediaType: 'application/json' }];
  }

  async read(uri: string): Promise<ResourceContent | undefined> {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id === undefined) return Object.hasOwn(RESOURCES, uri) ? RESOURCES[uri] : undefined;
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { mediaType: 'application/json', text };
  }

  async prompts() {
    return PROMPTS;
  }

  async prompt(name: string, values: Readonly<Record<string, string>>) {
    const contents = {
      test_simple_prompt: [words('This is a simple prompt for testing.')],
      test_prompt_with_arguments: [
        words(`Prompt with arguments: arg1='${values['arg1']}', arg2='${values['arg2']}'`),
      ],
      test_prompt_with_embedded_resource: [
        document(values['resourceUri'] ?? '', 'text/plain', 'Embedded resource content for testing.'),
        words('Please process the embedded resource above.'),
      ],
      test_prompt_with_image: [picture, words('Please analyze the image above.')],
    }[name];
    return (contents ?? []).map((content) => ({ role: 'user' as const, content }));
  }

  async complete({ begun }: { begun: string }) {
    return ['paris', 'park', 'party'].filter((word) => word.startsWith(begun));
  }

  onChange(listener: (change: OfferChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export function fixtureTool(name: string, input: JsonObject): OfferedTool {
  return {
    name,
    description: 'A tool that the conformance suite asks for.',
    input,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  };
}
