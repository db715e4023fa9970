import { expect, test } from 'vitest';
import type { ArtifactRef } from '../../engine/index.ts';
import { digestOf, type JsonObject } from '../../kernel/index.ts';
import { readAnswer } from './read-answer.ts';

const ABOUT = { server: 'shop', tool: 'look' };

async function read(content: readonly JsonObject[], extra: object = {}) {
  const kept: { bytes: string; name: string; mediaType: string }[] = [];
  const output = await readAnswer({ content, isError: false, ...extra }, ABOUT, async (bytes, about) => {
    kept.push({ bytes: Buffer.from(bytes as string).toString('utf8'), ...about });
    return { digest: digestOf(bytes), bytes: bytes.length, ...about } as ArtifactRef;
  });
  return { output, kept };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('joins texts and stores other content as artifacts', async () => {
  const { output, kept } = await read([
    { type: 'text', text: 'one' },
    { type: 'image', data: base64('picture'), mimeType: 'image/PNG' },
    { type: 'text', text: 'two' },
    { type: 'audio', data: base64('sound'), mimeType: 'no type at all' },
    { type: 'resource', resource: { uri: 'file:///a/../note.md', text: 'words' } },
    { type: 'resource', resource: { uri: 'x:', blob: base64('bytes'), mimeType: 'application/zip' } },
    { type: 'resource_link', uri: 'file:///b', name: 'b' },
    { type: 'something newer' },
  ]);
  expect(output).toMatchObject({ text: 'one\ntwo', links: [{ uri: 'file:///b', name: 'b' }] });
  expect(output.artifacts).toHaveLength(4);
  expect(kept).toEqual([
    { bytes: 'picture', name: 'look-2', mediaType: 'image/png' },
    { bytes: 'sound', name: 'look-4', mediaType: 'application/octet-stream' },
    { bytes: 'words', name: 'note.md', mediaType: 'text/plain' },
    { bytes: 'bytes', name: 'x:', mediaType: 'application/zip' },
  ]);
});

test('returns structured content unchanged', async () => {
  expect((await read([], { structured: { a: [1, null] } })).output).toEqual({
    text: '',
    structured: { a: [1, null] },
  });
});

test("fails with the server's message without hidden characters", async () => {
  const failing = read([{ type: 'text', text: 'no\u200b beds\u001b' }], { isError: true });
  await expect(failing).rejects.toMatchObject({
    code: 'mcp.tool_failed',
    message: 'look of the MCP server "shop" failed: no beds',
    data: { ...ABOUT, text: 'no beds' },
  });
});

test('refuses too many files', async () => {
  const many = Array.from({ length: 101 }, () => ({ type: 'image', data: '', mimeType: 'image/png' }));
  await expect(read(many)).rejects.toMatchObject({ code: 'mcp.too_large' });
});
