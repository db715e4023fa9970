import { isDeepStrictEqual } from 'node:util';
import type { OkaApi } from './oka-api.ts';
import { operationSchemas } from './operation-schemas.ts';
import type { OperationName } from './operations.ts';
import { apiOf, methodOf } from './remote-oka.ts';

/** The same API, but throws if an answer does not match its schema. Used by the tests. */
export function checkedOka(api: OkaApi): OkaApi {
  return apiOf((name) => (...input) => {
    const result = methodOf(api, name)(...input);
    if (isIterable(result)) return checkedItems(name, result);
    return Promise.resolve(result).then(async (answer) => {
      if (isIterable(answer)) return checkedItems(name, answer);
      await check(name, answer);
      return answer;
    });
  });
}

async function* checkedItems(name: OperationName, items: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const item of items) {
    await check(name, item);
    yield item;
  }
}

async function check(name: OperationName, answer: unknown): Promise<void> {
  const { output } = await operationSchemas(name);
  const sent = answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
  const { data, error } = output.safeParse(sent);
  if (error) throw new Error(`${name} answered against its schema: ${error.message}`);
  // Parsing drops fields that the schema does not know.
  if (!isDeepStrictEqual(data, sent))
    throw new Error(`${name} answered with fields that its schema does not have: ${JSON.stringify(sent)}`);
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
