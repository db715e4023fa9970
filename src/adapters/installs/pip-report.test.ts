import { expect, test } from 'vitest';
import { readPipReport } from './pip-report.ts';

const HASH = 'a'.repeat(64);
const report = (
  archive_info: object | undefined,
  url = 'https://example.test/Big_Tea-1.0-py3-none-any.whl',
): string =>
  JSON.stringify({
    version: '1',
    install: [{ metadata: { name: 'Big_Tea', version: '1.0' }, download_info: { url, archive_info } }],
  });

test('reads the hash of a wheel from newer and older pip reports', () => {
  const expected = [{ name: 'big-tea', version: '1.0', integrity: `sha256:${HASH}` }];
  expect(readPipReport(report({ hashes: { sha256: HASH } }))).toEqual(expected);
  expect(readPipReport(report({ hash: `sha256=${HASH}` }))).toEqual(expected);
});

test.each([
  ['no hash', report({})],
  ['nothing about an archive', report(undefined)],
  ['a weak hash', report({ hash: 'md5=0123456789abcdef' })],
  ['a hash with more in it', report({ hashes: { sha256: `${HASH} --index-url x` } })],
  ['a source archive', report({ hashes: { sha256: HASH } }, 'https://example.test/tea-1.0.tar.gz')],
])('rejects a package with %s', (_, text) => {
  expect(() => readPipReport(text)).toThrow(expect.objectContaining({ code: 'environment.unverified' }));
});
