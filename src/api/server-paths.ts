// Owns: the description of the routes that are not operations.

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
    /** Only if the request asks for bodies. */
    body: {},
  },
  required: ['position', 'stream', 'type', 'at', 'data'],
};

const text = { type: 'string' };
const number = { type: 'number' };
const object = (properties: Readonly<Record<string, object>>, ...optional: readonly string[]) => ({
  ...{ type: 'object', properties },
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** The state of the daemon, as `DaemonStatus`. */
const daemonStatus = object(
  {
    ...{ pid: number, version: text, build: text, workspace: text, startedAt: number, log: text, web: text },
    calls: number,
    workers: {
      type: 'array',
      items: object(
        {
          name: text,
          status: { type: 'string', enum: ['working', 'failing', 'stopped'] },
          lastError: object(
            { code: text, message: text, since: number, at: number, count: number, recoveredAt: number },
            'recoveredAt',
          ),
          ...{ lastSuccessAt: number, nextTryAt: number },
        },
        'lastError',
        'lastSuccessAt',
        'nextTryAt',
      ),
    },
    warnings: { type: 'array', items: object({ message: text, since: number, at: number, count: number }) },
  },
  'web',
);

export const SERVER_PATHS = {
  '/v1/status': {
    get: {
      operationId: 'status',
      summary: 'Show the state of the daemon and its workers',
      tags: ['server'],
      responses: answer('The state', 'application/json', daemonStatus),
    },
  },
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
      responses: answer(
        'The workspace',
        'application/json',
        object({ workspace: text, folder: text, version: text }),
      ),
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
        query('cursor', 'string'),
        query('bodies', 'boolean'),
      ],
      responses: answer('A page', 'application/json', {
        type: 'object',
        properties: { items: { type: 'array', items: streamedEvent }, next: { type: 'string' } },
        required: ['items'],
      }),
    },
  },
};
