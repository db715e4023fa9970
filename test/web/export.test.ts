// An exported run as other people get it: one file, opened from disk.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ExportCrypto, type ExportParts, verifyExport, webCrypto } from '../../src/ledger/index.ts';
import { BRIEF, Workspace } from '../cli/oka-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { hasBrowser, sharedBrowser, useApp } from './browser.ts';
import { checkLook } from './check-look.ts';

const NASTY = '</script><script>document.title = "owned"</script><!-- <img src=x onerror=alert(1)>';
const FILES = { 'README.md': `# Garden\n\n${NASTY}\n`, 'notes.md': 'the code is swordfish-4711\r\n\u00a0' };

interface Exported {
  readonly file: string;
  readonly events: number;
  readonly end: string;
  readonly signed: boolean;
}

async function exported(workspace: Workspace, ...options: readonly string[]): Promise<Exported> {
  const { data } = await workspace.answer<Exported>('runs', 'export', 'last', ...options);
  return data;
}

async function exportedRun(): Promise<{
  readonly workspace: Workspace;
  readonly text: string;
  readonly about: Exported;
}> {
  const workspace = Workspace.trusted({ files: FILES });
  await workspace.answer('do', BRIEF);
  const about = await exported(workspace);
  return { workspace, about, text: readFileSync(about.file, 'utf8') };
}

const PARTS = {
  style: ['<style id="oka-style">', '</style>'],
  html: ['<main id="oka-page">', '</main>'],
  data: ['<script type="text/plain" id="oka-data">', '</script>'],
  proof: ['<script type="text/plain" id="oka-proof">', '</script>'],
} as const;
type Part = keyof typeof PARTS;

/** Where a part starts and ends in the file. */
function placeOf(text: string, part: Part): readonly [from: number, to: number] {
  const [before, after] = PARTS[part];
  const from = text.indexOf(before) + before.length;
  return [from, text.indexOf(after, from)];
}

const partsOf = (text: string): ExportParts => {
  const read = (part: Part): string => text.slice(...placeOf(text, part));
  return { data: read('data'), proof: read('proof'), style: read('style'), html: read('html') };
};
const verify = (text: string) => verifyExport(partsOf(text), webCrypto() as ExportCrypto);

describe('an exported run', () => {
  test('verifies, is signed, and contains the exact events of the ledger', async () => {
    const { workspace, text, about } = await exportedRun();
    expect(await verify(text)).toMatchObject({ faults: [], signature: 'valid', ...pick(about) });
    const key = JSON.parse(workspace.text('.oka/head.json')).key;
    expect((await verify(text)).signedBy?.key).toBe(key);
    const { stdout } = await workspace.oka('ledger', 'export');
    const lines = partsOf(text)
      .data.split('\n')
      .filter((line) => line.includes('"stream"'));
    for (const line of lines.slice(1)) expect(stdout).toContain(line.replaceAll('\\u003c', '<'));
    expect(stdout).toContain(about.end);
  });

  test('fails when any byte of data, proof, style or readable part is flipped', async () => {
    const { text } = await exportedRun();
    const bytes = { ...partsOf(text) };
    const where = fc.constantFrom<Part[]>('data', 'proof', 'style', 'html');
    await fc.assert(
      fc.asyncProperty(where, fc.nat(), fc.nat({ max: 7 }), async (part, at, bit) => {
        const changed = Buffer.from(bytes[part]);
        const place = at % changed.length;
        changed[place] = (changed[place] as number) ^ (1 << bit);
        const { faults } = await verifyExport(
          { ...bytes, [part]: changed.toString('utf8') },
          webCrypto() as ExportCrypto,
        );
        return faults.length > 0;
      }),
      { numRuns: 120 },
    );
  });

  test('allows only its own script and style, and no text of the run ends an element', async () => {
    const { text } = await exportedRun();
    expect(text.match(/<\/script/gi)).toHaveLength(3);
    const script = /<script>(.*)<\/script>/s.exec(text)?.[1] as string;
    const hash = createHash('sha256').update(script).digest('base64');
    expect(text).toContain(`default-src 'none'; script-src 'sha256-${hash}'`);
  });

  test('contains the child runs and the account of the tree', async () => {
    const workspace = Workspace.trusted({ files: FILES });
    const goal = `${BRIEF} and then list the files in this folder`;
    await workspace.answer('do', goal, '--autonomy', 'autonomous');
    const { data: parent } = await workspace.answer<{ runs: { id: string; parent?: string }[] }>(
      'runs',
      'list',
    );
    const root = parent.runs.find((run) => run.parent === undefined)?.id as string;
    const { data } = await workspace.answer<Exported & { runs: number }>('runs', 'export', root);
    const report = await verify(readFileSync(data.file, 'utf8'));
    expect(report).toMatchObject({ faults: [], streams: data.runs + 1 });
    expect(data.runs).toBeGreaterThan(2);
  });

  test('omits erased content and still verifies', async () => {
    const { workspace } = await exportedRun();
    await workspace.answer('ledger', 'gc', '--bodies-days', '0');
    const { file } = await exported(workspace, '--force');
    const report = await verify(readFileSync(file, 'utf8'));
    expect(report.faults).toEqual([]);
    expect(report.withoutBody).toBeGreaterThan(0);
  });

  test('omits content that has become a secret since the run', async () => {
    const { workspace, text } = await exportedRun();
    expect(text).toContain('swordfish-4711');
    const environment = { GARDEN_TOKEN: 'swordfish-4711' };
    const later = workspace.startIn(
      workspace.root,
      environment,
      'runs',
      'export',
      'last',
      '--out',
      'later.html',
    );
    expect((await later.ended).exitCode).toBe(0);
    const safe = workspace.text('later.html');
    expect(safe).not.toContain('swordfish-4711');
    expect((await verify(safe)).faults).toEqual([]);
  });

  test('replaces a file only with --force, and rejects an unknown run', async () => {
    const { workspace } = await exportedRun();
    expect(await workspace.refusal('runs', 'export', 'last')).toMatchObject({
      exitCode: 3,
      error: { code: 'files.exists', message: expect.stringContaining('--force') },
    });
    await exported(workspace, '--force');
    expect((await workspace.refusal('runs', 'export', 'nosuchrun')).error.code).toBe('engine.unknown_run');
  });
});

const pick = ({ events, end }: Exported): object => ({ events, end });

describe.skipIf(!hasBrowser)('an exported run in a browser', () => {
  /** Opens a file from disk. Fails on a request to anything else. */
  async function openFile(text: string, javaScriptEnabled = true): Promise<{ page: Page; faults: string[] }> {
    const file = join(tempFolder(), 'run.html');
    writeFileSync(file, text);
    const address = pathToFileURL(file).href;
    const page = await (await sharedBrowser()).newPage({ javaScriptEnabled });
    const faults: string[] = [];
    page.on('request', (request) => request.url() !== address && faults.push(request.url()));
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(address);
    return { page, faults };
  }

  test('says that it is verified, with the end of the chain', async () => {
    const { text, about } = await exportedRun();
    const { page, faults } = await openFile(text);
    await page.getByText(`Verified: ${about.events} events, chain ends at ${about.end}`).waitFor();
    await page.getByText('Signed on').waitFor();
    await checkLook(page, 'export');
    expect(await page.locator('[src], [href]').count()).toBe(0);
    expect(await page.title()).toMatch(/^Run \w+ – Oka$/);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('says what is wrong when a byte of the data or of the readable part was changed', async () => {
    const { text } = await exportedRun();
    for (const part of ['data', 'html'] as const) {
      const [from, to] = placeOf(text, part);
      const at = text.indexOf('BRIEF', from);
      expect(at).toBeLessThan(to);
      const { page, faults } = await openFile(`${text.slice(0, at)}C${text.slice(at + 1)}`);
      await page.getByText('Not verified: this file was changed').waitFor();
      await page
        .getByText(part === 'data' ? /^seq \d+ \(run/ : 'readable part')
        .first()
        .waitFor();
      expect(faults).toEqual([]);
      await page.close();
    }
  });

  test('is readable without JavaScript, and says that it is not checked', async () => {
    const { text } = await exportedRun();
    const { page } = await openFile(text, false);
    await page.getByText('Not checked').waitFor();
    await page.getByRole('heading', { name: BRIEF }).waitFor();
    await page.getByText('procedures.write').first().waitFor();
    await page.close();
  });
});

describe.skipIf(!hasBrowser)('the export of a run in the app', () => {
  const app = useApp();

  test('is a download that verifies', async () => {
    const first = await app.oka<{ run: { id: string } }>('do', BRIEF);
    const page = await app.open(`/runs/${first.run.id}/compare/${first.run.id}`);
    const headers = await page.evaluate(async (address) => {
      const response = await fetch(address);
      return ['content-type', 'content-disposition'].map((name) => response.headers.get(name));
    }, `/v1/runs/${first.run.id}/export`);
    expect(headers).toEqual([
      'text/html; charset=utf-8',
      `attachment; filename="run-${first.run.id.slice(-6)}.html"`,
    ]);
    await page.getByRole('button', { name: 'Export A…' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(`run-${first.run.id.slice(-6)}.html`);
    expect((await verify(readFileSync(await saved.path(), 'utf8'))).faults).toEqual([]);
  });
});
