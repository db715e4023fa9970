import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { call, mcpKit, reference } from './mcp-kit.ts';

describe('the reference servers, driven through runs', () => {
  it('remembers with the memory server and reads it back', async () => {
    const kit = mcpKit();
    const file = join(kit.folder, 'memory.jsonl');
    const launch = { ...reference('memory'), environment: { MEMORY_FILE_PATH: file } };
    await kit.approve('memory', launch as never);
    const garden = { name: 'garden', entityType: 'place', observations: ['has 3 beds'] };
    const { run } = await kit.run(
      call('mcp.memory.create_entities', { entities: [garden] }),
      call('mcp.memory.search_nodes', { query: 'garden' }),
    );
    expect(run.ended?.status).toBe('completed');
    expect(run.output).toMatchObject({ structured: { entities: [garden] } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(garden);
  });

  it('reads and writes the workspace with the filesystem server, and nothing outside it', async () => {
    const folder = tempFolder();
    const kit = mcpKit({ folder });
    writeFileSync(join(folder, 'plan.md'), '# Beds');
    const outside = tempFolder();
    writeFileSync(join(outside, 'secret.txt'), 'mine');
    mkdirSync(join(folder, 'notes'));
    await kit.approve('files', reference('filesystem', folder));
    const { run } = await kit.run(
      call('mcp.files.read_text_file', { path: join(folder, 'plan.md') }),
      call('mcp.files.write_file', { path: join(folder, 'notes', 'made.md'), content: 'new' }),
      call('mcp.files.read_text_file', { path: join(outside, 'secret.txt') }),
    );
    expect(run.evidence[0]?.output).toMatchObject({ text: '# Beds' });
    expect(readFileSync(join(folder, 'notes', 'made.md'), 'utf8')).toBe('new');
    expect(run.evidence[2]?.failure).toMatchObject({
      code: 'mcp.tool_failed',
      message: expect.stringContaining('Access denied'),
    });
  });

  it('stores pictures, files and structured answers of the everything server', async () => {
    const kit = mcpKit();
    await kit.approve('everything', reference('everything'));
    const { run, engine } = await kit.run(
      call('mcp.everything.echo', { message: 'hello' }),
      call('mcp.everything.get-tiny-image'),
      call('mcp.everything.get-structured-content', { location: 'Chicago' }),
      call('mcp.everything.get-resource-reference', { resourceType: 'Text', resourceId: 1 }),
      call('mcp.everything.get-resource-links', { count: 2 }),
      call('mcp.everything.get-roots-list'),
    );
    expect(run.evidence.map(({ failure }) => failure)).toEqual(Array(6).fill(undefined));
    const [echo, picture, structured, resource, links, roots] = run.evidence.map(({ output }) => output);
    expect(echo).toEqual({ text: 'Echo: hello' });
    expect(picture).toMatchObject({ artifacts: [{ mediaType: 'image/png', name: 'get-tiny-image-2' }] });
    const [kept] = (picture as { artifacts: [{ digest: string }] }).artifacts;
    const bytes = await engine.parts.artifacts.get(kept.digest as never);
    expect(
      Buffer.from(bytes as Uint8Array)
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(structured).toMatchObject({ structured: { temperature: expect.any(Number) } });
    expect(resource).toMatchObject({ artifacts: [{ mediaType: 'text/plain' }] });
    expect(links).toMatchObject({ links: [{ uri: expect.stringContaining('://') }, {}] });
    expect(roots).toMatchObject({ text: expect.stringContaining('file://') });
  });
});
