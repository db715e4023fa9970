// Owns: the description of the routes that are not operations: the server answers them by itself.

const query = (name: string, type: string) => ({ name, in: 'query', required: false, schema: { type } });
const problem = { default: { $ref: '#/components/responses/Problem' } };
const answer = (description: string, type: string, schema: object) => ({
  200: { description, content: { [type]: { schema } } },
  ...problem,
});

/** An event of the ledger as it is streamed. */
const streamedEvent = {
  type: 'object',
  properties: {
    position: { type: 'integer' },
    stream: { type: 'string' },
    type: { type: 'string' },
    at: { type: 'number' },
    run: { type: 'string' },
    root: { type: 'string' },
    conversation: { type: 'string' },
    data: {},
  },
  required: ['position', 'stream', 'type', 'at', 'data'],
};

export const SERVER_PATHS = {
  '/v1/openapi.json': {
    get: {
      operationId: 'openapi',
      summary: 'Get this document',
      tags: ['server'],
      responses: answer('The document', 'application/json', { type: 'object' }),
    },
  },
  '/v1/session': {
    get: {
      operationId: 'session',
      summary: 'Check the session and name the workspace',
      tags: ['server'],
      responses: answer('The workspace', 'application/json', {
        type: 'object',
        properties: {
          workspace: { type: 'string' },
          folder: { type: 'string' },
          version: { type: 'string' },
        },
        required: ['workspace', 'folder', 'version'],
      }),
    },
  },
  '/v1/events': {
    get: {
      operationId: 'events',
      summary: 'Follow the ledger as server-sent events',
      tags: ['server'],
      parameters: [
        query('after', 'integer'),
        query('run', 'string'),
        query('conversation', 'string'),
        query('kind', 'string'),
      ],
      responses: answer('Events', 'text/event-stream', { type: 'string' }),
    },
  },
  '/v1/events/list': {
    get: {
      operationId: 'events.list',
      summary: 'List events of the ledger, in order',
      tags: ['server'],
      parameters: [
        query('after', 'integer'),
        query('run', 'string'),
        query('conversation', 'string'),
        query('kind', 'string'),
        query('limit', 'integer'),
      ],
      responses: answer('A page', 'application/json', {
        type: 'object',
        properties: { items: { type: 'array', items: streamedEvent }, next: { type: 'string' } },
        required: ['items'],
      }),
    },
  },
};
