import { mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FileArtifactStore } from '../../src/adapters/files/index.ts';
import type { ArtifactRef, ArtifactStore } from '../../src/engine/index.ts';
import { type Digest, digestOf, isOkaError, type Json } from '../../src/kernel/index.ts';
import type { HandlerCall } from './handler-log.ts';
import { scenarios } from './scenarios.ts';
import { holdsFor, ON_DISK } from './sequences.ts';
import { CONDUCTS, type Conduct, LARGEST_OUTPUT_BYTES } from './tools.ts';
import { WholeClock } from './whole-clock.ts';
import { play, type World } from './world.ts';

interface LargeOutput {
  readonly artifact: Digest;
  readonly bytes: number;
  readonly preview: string;
}

function isLarge(output: Json | undefined): output is Json & LargeOutput {
  return output !== null && typeof output === 'object' && 'artifact' in output && 'preview' in output;
}

/** References in the ledger to content that is not there or is something else. */
async function danglingReferences(world: World): Promise<string[]> {
  const found: string[] = [];
  const check = async (where: string, digest: Digest, bytes?: number): Promise<void> => {
    const content = await world.artifacts.get(digest);
    if (content === undefined) found.push(`${where} names ${digest}, which is not there`);
    else if (digestOf(content) !== digest) found.push(`${where}: ${digest} has other content`);
    else if (bytes !== undefined && content.length !== bytes)
      found.push(`${where}: ${content.length} bytes, not ${bytes}`);
  };
  for (const event of await world.events()) {
    const where = `${event.stream} ${event.index} ${event.type}`;
    const body = event.body as { output?: Json } | undefined;
    if (event.type === 'artifacts.emitted') {
      for (const ref of event.body as unknown as ArtifactRef[]) await check(where, ref.digest, ref.bytes);
    }
    // A tool may answer with something that looks like a reference; that is then its answer and refers to nothing.
    const said = world.calls.some(({ output }) => output === JSON.stringify(body?.output));
    if (isLarge(body?.output) && !said) await check(where, body.output.artifact, body.output.bytes);
    const pins = event.data['pins'] as { graph: Digest; tools: Digest } | undefined;
    for (const pin of pins ? [pins.graph, pins.tools] : []) await check(where, pin);
  }
  return found;
}

/** What the output schema of the tools demands. */
function fits(output: Json | undefined): boolean {
  return output !== null && typeof output === 'object' && 'tool' in output;
}

const HONEST: ReadonlySet<Conduct> = new Set(CONDUCTS.honest);

/** Outputs that stand in the ledger otherwise than the handler gave them, by value or by reference. */
async function changedOutputs(world: World): Promise<string[]> {
  const found: string[] = [];
  for (const [run, { calls }] of world.model.runs) {
    for (const recorded of calls) {
      const made = lastCall(world, run, recorded.step);
      if (made?.output === undefined || recorded.outcome === 'pending' || recorded.outcome === 'refused')
        continue;
      if (recorded.told) continue;
      if (recorded.outcome === 'failed') {
        if (!HONEST.has(made.conduct)) continue;
        found.push(
          `${made.plan.name} gave ${made.output.length} characters, and that was recorded as a failure`,
        );
        continue;
      }
      const bytes = Buffer.byteLength(made.output);
      const large = isLarge(recorded.output) && JSON.stringify(recorded.output) !== made.output;
      if (made.plan.output !== undefined && !large && !fits(recorded.output))
        found.push(`${made.plan.name} passed its schema with ${made.output}`);
      if (!large && made.output.length > LARGEST_OUTPUT_BYTES)
        found.push(`${bytes} bytes were written into the ledger`);
      if (large && bytes <= LARGEST_OUTPUT_BYTES) found.push(`${bytes} bytes were kept apart`);
      const text = large
        ? await contentOf(world.artifacts, recorded.output)
        : JSON.stringify(recorded.output);
      if (text !== made.output) found.push(`${made.plan.name} gave ${made.output}, recorded was ${text}`);
      // A character of two code units may have been cut at the end.
      if (large && !made.output.startsWith((recorded.output as unknown as LargeOutput).preview.slice(0, -1)))
        found.push('the preview is not how the content begins');
    }
  }
  return found;
}

/** The call that the record of a step tells of, unless the process died over it. */
function lastCall(world: World, run: string, step: number): HandlerCall | undefined {
  return world.calls.findLast((call) => call.run === run && call.step === step);
}

async function contentOf(artifacts: ArtifactStore, output: LargeOutput): Promise<string> {
  return new TextDecoder().decode(await artifacts.get(output.artifact));
}

it('names only stored artifacts, with the content that tools returned', async () => {
  const sequences = scenarios({
    conduct: ['honest', 'failing', 'garbage', 'hostile'],
    moves: ['work', 'children', 'end'],
    people: true,
    deaths: true,
  });
  await holdsFor(sequences, async (scenario) => {
    const world = await play(scenario);
    expect(await danglingReferences(world)).toEqual([]);
    expect(await changedOutputs(world)).toEqual([]);
  });
});

it('names only stored artifacts, whatever middleware does', async () => {
  const sequences = scenarios({
    conduct: ['honest', 'failing'],
    moves: ['work', 'end'],
    middleware: true,
    people: true,
  });
  await holdsFor(sequences, async (scenario) => {
    expect(await danglingReferences(await play(scenario))).toEqual([]);
  });
});

async function withFiles(
  work: (store: FileArtifactStore, pathOf: (digest: Digest) => string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'oka-artifacts-'));
  const pathOf = (digest: Digest): string => {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return join(folder, found.find((path) => path.replaceAll(sep, '').endsWith(digest)) ?? digest);
  };
  try {
    await work(new FileArtifactStore(folder, new WholeClock()), pathOf);
  } finally {
    // An engine that died silently may still be writing: only a removal that lets it go on can get ahead of it.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

it('refuses an artifact whose bytes were changed, and returns the others', async () => {
  const sequences = fc.record({
    contents: fc.uniqueArray(fc.uint8Array({ minLength: 1, maxLength: 64 }), {
      minLength: 2,
      maxLength: 3,
      selector: String,
    }),
    at: fc.nat(),
    flip: fc.integer({ min: 1, max: 255 }),
    cut: fc.boolean(),
  });
  await holdsFor(
    sequences,
    ({ contents, at, flip, cut }) =>
      withFiles(async (store, pathOf) => {
        const refs = [];
        for (const content of contents) refs.push(await store.put(content, { mediaType: 'text/plain' }));
        const [damaged, ...sound] = refs as [ArtifactRef, ...ArtifactRef[]];
        const path = pathOf(damaged.digest);
        const bytes = readFileSync(path);
        if (cut) truncateSync(path, at % bytes.length);
        else {
          bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ flip;
          writeFileSync(path, bytes);
        }
        const refusal = await store.get(damaged.digest).catch((error: unknown) => error);
        expect(isOkaError(refusal, 'engine.artifact_damaged')).toBe(true);
        for (const [i, ref] of sound.entries()) {
          expect(
            Buffer.compare(
              Buffer.from((await store.get(ref.digest)) ?? []),
              Buffer.from(contents[i + 1] ?? []),
            ),
          ).toBe(0);
        }
      }),
    { few: 4, whole: 1_000 },
  );
});

it('stores artifacts intact in files as well', async () => {
  const sequences = scenarios({ conduct: ['honest'], moves: ['work', 'end'], deaths: true });
  await holdsFor(
    sequences,
    (scenario) =>
      withFiles(async (artifacts) => {
        // Files take real time, in which the simulated clock must not run on.
        const patient = { ...scenario, slowness: 1 };
        expect(await danglingReferences(await play(patient, { artifacts }))).toEqual([]);
      }),
    ON_DISK,
  );
});
