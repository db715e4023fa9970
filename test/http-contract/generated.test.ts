// web/src/api/schema.ts is made from the operations. After a change, write it again with:
// npx vitest run --project test test/http-contract -u

import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/index.ts';
import { root } from '../checkout.ts';

const HEADER =
  '// Made from the operations by test/http-contract/generated.test.ts. Do not edit: run that test with -u.\n\n';

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate({ ...(await openApiDocument()) });
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

test('the types of the web client are those of the document', async () => {
  const document = JSON.stringify(await openApiDocument());
  // Fields with a default may be left out of a request.
  const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
  await expect(HEADER + types).toMatchFileSnapshot(join(root, 'web', 'src', 'api', 'schema.ts'));
});
