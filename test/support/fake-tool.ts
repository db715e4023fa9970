import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Tool } from '../../src/engine/index.ts';
import type { JsonObject } from '../../src/kernel/index.ts';

/** A tool for planning tests: it has a definition and does nothing. */
export function fakeTool(
  name: string,
  properties: JsonObject,
  required: readonly string[] = [],
  extra: Partial<Tool> = {},
): Tool {
  const schema: StandardSchemaV1 = {
    '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
  };
  return {
    name,
    version: '1',
    description: `Does ${name.split('.').join(' ')}.`,
    input: { check: schema, json: () => ({ type: 'object', properties, required }) },
    annotations: { readOnly: true, destructive: false, idempotent: true, cacheable: false, risk: 'none' },
    sideEffect: 'read',
    handler: () => null,
    ...extra,
  };
}
