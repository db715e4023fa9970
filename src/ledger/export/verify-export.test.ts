import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { canonicalJson, digestOf } from '../../kernel/index.ts';
import { MemoryEventStore } from '../memory-event-store.ts';
import type { EventRecord } from '../types.ts';
import { EXPORT_FORMAT, escapeMarkup, exportText, pageText, unescapeMarkup } from './export-text.ts';
import { type ExportCrypto, type ExportParts, type ExportReport, verifyExport } from './verify-export.ts';
import { webCrypto } from './web-crypto.ts';

const NASTY = '</script><!-- \\u003c \\\\u003c < \u2028';

/** Two runs that take turns with a third one, which is not exported. */
async function threeRuns(): Promise<{
  readonly all: readonly EventRecord[];
  readonly own: readonly EventRecord[];
}> {
  const store = new MemoryEventStore({ clock: new ManualClock(), random: seededRandom() });
  for (let i = 0; i < 4; i++)
    for (const run of ['run/a', 'run/other', 'run/b'])
      await store.commit({
        actor: 'test',
        sync: 'full',
        appends: [
          { stream: run, events: [{ type: 'step.completed', data: { '10': i, '9': i }, body: NASTY }] },
        ],
      });
  const all = await store.readAfter(0, 100);
  return { all, own: all.filter(({ stream }) => stream !== 'run/other') };
}

function partsOf(all: readonly EventRecord[], events: readonly EventRecord[]): ExportParts {
  const [style, html] = ['p{}', '<p>a run</p>'];
  const streams = Object.fromEntries(events.map(({ stream, index, chain }) => [stream, { index, chain }]));
  const data = exportText(
    {
      ...{ format: EXPORT_FORMAT, run: 'a', exportedAt: 1, version: '1', events: events.length, streams },
      ...{ head: { seq: 12, hash: 'x' }, page: digestOf(pageText(style, html)) },
    },
    events,
    (seq) => all.find((event) => event.seq === seq)?.chain ?? '',
  );
  return { data, style, html, proof: proofOf(data) };
}

const proofOf = (data: string): string => canonicalJson({ digest: digestOf(data) });

/** As someone would who also writes the digest again. */
function forged(parts: ExportParts, change: (lines: string[]) => string[]): ExportParts {
  const data = change(parts.data.split('\n')).join('\n');
  return { ...parts, data, proof: proofOf(data) };
}

const verify = (parts: ExportParts): Promise<ExportReport> =>
  verifyExport(parts, webCrypto() as ExportCrypto);

describe('the verifier of an exported run', () => {
  test('accepts complete streams, with any events of other streams between them', async () => {
    const { all, own } = await threeRuns();
    const report = await verify(partsOf(all, own));
    expect(report).toMatchObject({ events: 8, streams: 2, withoutBody: 0, signature: 'none', faults: [] });
    expect(report.end).toBe(own.at(-1)?.chain);
  });

  test('accepts an event whose body was erased, and counts it', async () => {
    const { all, own } = await threeRuns();
    const erased = own.map((event, i) => ({ ...event, ...(i === 2 && { bodyText: null, salt: null }) }));
    expect(await verify(partsOf(all, erased))).toMatchObject({ withoutBody: 1, faults: [] });
  });

  test('names a changed event, even if its digest was recomputed', async () => {
    const { all, own } = await threeRuns();
    const [, second] = own as [EventRecord, EventRecord];
    const parts = partsOf(all, own);
    const at = parts.data.split('\n').findIndex((line) => line.includes(`"seq":${second.seq},"stream"`));
    const { faults } = await verify(
      forged(parts, (lines) => lines.with(at, (lines[at] as string).replace('"9":0', '"9":7'))),
    );
    expect(faults[0]).toMatchObject({ where: `seq ${second.seq} (${second.stream} 0, step.completed)` });
  });

  test('finds a changed body, a missing event, a swapped pair and a cut end', async () => {
    const { all, own } = await threeRuns();
    const parts = partsOf(all, own);
    const changes: ((lines: string[]) => string[])[] = [
      (lines) => lines.map((line) => line.replace('"body":"', '"body":"x')),
      (lines) => lines.toSpliced(3, 1),
      (lines) => lines.toSpliced(1, 2, lines[2] as string, lines[1] as string),
      (lines) => lines.slice(0, -1),
      (lines) => lines.slice(0, 1),
    ];
    for (const change of changes) expect((await verify(forged(parts, change))).faults).not.toEqual([]);
  });

  test('finds a changed readable part and style', async () => {
    const { all, own } = await threeRuns();
    const parts = partsOf(all, own);
    for (const changed of [{ html: '<p>another</p>' }, { style: 'p{color:red}' }])
      expect((await verify({ ...parts, ...changed })).faults).toEqual([
        { where: 'readable part', what: 'it differs from the one that was exported' },
      ]);
  });
});

test('no text can end the element that the data is in', async () => {
  const { all, own } = await threeRuns();
  expect(partsOf(all, own).data).not.toContain('<');
  const json = JSON.stringify([NASTY, '<', '\\<', '\\\\<']);
  expect(unescapeMarkup(escapeMarkup(json))).toBe(json);
});
