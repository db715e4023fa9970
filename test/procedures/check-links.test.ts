import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { defaultPolicy, MemoryArtifactStore } from '../../src/engine/index.ts';
import { OkaError, systemClock } from '../../src/kernel/index.ts';
import type { Http } from '../../src/tools/index.ts';
import { AgentWorkspace } from '../support/agent-workspace.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FILES = {
  'README.md':
    '# Top\n\n[guide](docs/guide.md) [part](docs/guide.md#second-part) [gone](docs/gone.md)\n[here](#top) [nowhere](#absent) ![logo](logo.png)\n',
  'docs/guide.md':
    '# Guide\n\n## Second part\n\n[back](../README.md#top) [root](/README.md) [ignored](../dist/out.js) [lost](../dist/lost.js)\n[spaces](my%20file.md) [out](../../x.md) [mail](mailto:a@b.c) [web](https://example.com/a)\n`[code](no.md)`\n',
  'docs/my file.md': 'x\n',
  'logo.png': 'png',
  '.gitignore': 'dist/\n',
  'dist/out.js': '1',
};

describe('checking links', () => {
  it('lists missing files and headings, with lines', async () => {
    const workspace = new AgentWorkspace(FILES);
    const run = await workspace.pursue('check the links and write a report to links.md');
    expect(run.failure).toBeUndefined();
    expect(run.output).toMatchObject({
      documents: 3,
      broken: [
        { from: 'README.md', line: 3, target: 'docs/gone.md' },
        { from: 'README.md', line: 4, target: '#absent' },
        { from: 'docs/guide.md', line: 5, target: '../dist/lost.js' },
      ],
      leftOut: [],
    });
    expect(workspace.text('links.md')).toContain(
      '## `README.md`\n\n- line 3: `docs/gone.md`: there is no `docs/gone.md`\n- line 4: `#absent`: `README.md` has no heading `#absent`\n',
    );
    expect(await workspace.retell(run)).toMatchObject({
      states: ['intake', 'explore', 'decide', 'act', 'validate', 'done'],
      differences: [],
    });
  });

  it('checks one file, or a folder, and follows headings of documents outside it', async () => {
    const workspace = new AgentWorkspace(FILES);
    expect((await workspace.pursue('check the links of README.md')).output).toMatchObject({
      documents: 1,
      links: 6,
    });
    const docs = await workspace.pursue('are there broken links in the docs?');
    expect(docs.output).toMatchObject({ documents: 2, broken: [{ target: '../dist/lost.js' }] });
    expect((await workspace.retell(docs)).states).toEqual(['intake', 'explore', 'decide', 'done']);
    expect(await workspace.pursue('check the links of absent.md')).toMatchObject({
      failure: { code: 'files.not_found' },
    });
  });

  it('reports unreadable documents, and finds nothing in an empty folder', async () => {
    const workspace = new AgentWorkspace();
    writeFileSync(join(workspace.root, 'binary.md'), Uint8Array.from([0, 255, 254]));
    const run = await workspace.pursue('find broken links');
    expect(run.output).toMatchObject({ documents: 1, links: 0, leftOut: ['not read: `binary.md`'] });
    expect((await new AgentWorkspace().pursue('find broken links')).output).toMatchObject({
      documents: 0,
      broken: [],
    });
  });

  it('requests web addresses only when asked, each once, and retries with GET where HEAD is refused', async () => {
    const asked: string[] = [];
    const http: Http = {
      fetch: async ({ url, method }) => {
        asked.push(`${method} ${url}`);
        if (url.endsWith('/dead')) throw new OkaError('http.failed', `${url} cannot be reached.`);
        const status = url.endsWith('/gone') ? 410 : url.endsWith('/shy') && method === 'HEAD' ? 405 : 200;
        return { url, status, headers: {}, body: new Uint8Array(), truncated: false, redirects: [] };
      },
    };
    const root = tempFolder();
    const artifacts = new MemoryArtifactStore(systemClock);
    const workspace = new AgentWorkspace(
      {},
      {
        artifacts,
        capabilities: { files: new WorkspaceFiles(root), artifacts, http },
        // Without a rule that names the host, the run asks after its first answer from the web.
        policy: {
          version: 'example.com',
          decide: (request) => ({ ...defaultPolicy.decide(request), allowsDestination: true }),
        },
      },
    );
    const page = ['fine#a', 'fine#b', 'gone', 'shy', 'dead'].map(
      (name) => `[x](https://example.com/${name})`,
    );
    writeFileSync(join(root, 'a.md'), page.join('\n'));
    await workspace.pursue('check the links');
    expect(asked).toEqual([]);
    const run = await workspace.pursue('check the links including web links');
    expect(run.failure).toBeUndefined();
    expect([...new Set(asked)]).toEqual([
      'HEAD https://example.com/fine',
      'HEAD https://example.com/gone',
      'HEAD https://example.com/shy',
      'GET https://example.com/shy',
      'HEAD https://example.com/dead',
    ]);
    expect(run.output).toMatchObject({ webTried: 4, broken: [{ line: 3 }, { line: 5 }], leftOut: [] });
    expect((await workspace.retell(run)).differences).toEqual([]);
  });
});
