import type { Decision, Evidence, PlanInput } from '../../engine/index.ts';
import { asObject, canonicalJson, parseJson } from '../../kernel/index.ts';
import { call } from '../findings.ts';
import type { ComparedPlaces } from './compared-places.ts';
import { readsByPath } from './folder-listing.ts';
import { code, count, sizeText } from './markdown-text.ts';
import type { Report } from './report-procedure.ts';

const MAX_BYTES = 256 * 1_024;
const MAX_DIFF_LINES = 400;
const MAX_CHANGED_LINES = 2_000;

/** A file as far as it was read. */
interface ComparedFile {
  readonly path: string;
  readonly bytes: number;
  readonly digest: string;
  /** Missing for a file that is not text or too long. */
  readonly text?: string;
}

type Diff = typeof import('diff');
let diff: Diff | undefined;

/** Loads the library for differences; only a comparison needs it. */
export async function loadDiff(): Promise<void> {
  const { createTwoFilesPatch } = await import('diff');
  diff = { createTwoFilesPatch } as Diff;
}

export function readWhole(path: string): Decision {
  return call('files.read', { path, max_bytes: MAX_BYTES }, `the content of ${path} is to be compared`);
}

/** The file that a read found, also one that is not text; undefined for anything else. */
export function fileRead(path: string, read: Evidence | undefined): ComparedFile | undefined {
  const { content, bytes, digest, truncated } = asObject(read?.output);
  if (typeof digest === 'string')
    return {
      path,
      bytes: Number(bytes),
      digest,
      ...(truncated === true || typeof content !== 'string' ? {} : { text: content }),
    };
  const data = asObject((read?.failure?.data ?? null) as never);
  if (read?.failure?.code !== 'files.not_text' || typeof data['digest'] !== 'string') return undefined;
  return { path, bytes: Number(data['bytes']), digest: data['digest'] };
}

export function reportFiles(input: PlanInput, { one, other }: ComparedPlaces): Report {
  const reads = readsByPath(input);
  const [a, b] = [fileRead(one, reads.get(one)), fileRead(other, reads.get(other))];
  const same = a !== undefined && a.digest === b?.digest;
  const isText = a?.text !== undefined && b?.text !== undefined;
  const patch = same || !isText ? undefined : patchOf(a, b);
  const lines = (patch ?? '').split('\n').slice(2);
  const added = lines.filter((line) => line.startsWith('+')).length;
  const removed = lines.filter((line) => line.startsWith('-')).length;
  const shown = lines.slice(0, MAX_DIFF_LINES);
  const onlyLayout = isText && !same && isSameJson(a, b);
  const differ = `${code(one)} (${sizeText(a?.bytes ?? 0)}) and ${code(other)} (${sizeText(b?.bytes ?? 0)}) are different`;
  const counted =
    patch === undefined
      ? ''
      : `: ${count(added, 'line')} added, ${removed} removed, from the first to the second`;
  return {
    title: `${one} compared with ${other}`,
    answer: same
      ? `${code(one)} and ${code(other)} are the same, ${sizeText(a.bytes)} each.`
      : `${differ}${counted}.${onlyLayout ? ' They hold the same JSON value in another layout.' : ''}`,
    sections: [
      {
        title: 'Differences',
        lines:
          patch === undefined
            ? []
            : ['```diff', ...shown.map((line) => line.replaceAll('```', "'''")), '```'],
      },
    ],
    facts: {
      one,
      other,
      same,
      ...(patch === undefined ? {} : { added, removed }),
      ...(onlyLayout ? { sameJson: true } : {}),
    },
    leftOut: [
      ...(lines.length > shown.length
        ? [`${count(lines.length - shown.length, 'more line')} of the differences`]
        : []),
      ...(same || patch !== undefined
        ? []
        : [
            isText
              ? 'the differences, which are too many'
              : 'the differences: a file is not text, or too long',
          ]),
    ],
    checks: [
      { check: 'both files were compared by their digests', holds: a !== undefined && b !== undefined },
    ],
  };
}

/** The differences as a unified diff; undefined when there are too many. */
function patchOf(a: ComparedFile, b: ComparedFile): string | undefined {
  const options = { context: 2, maxEditLength: MAX_CHANGED_LINES };
  const made: string | undefined = diff?.createTwoFilesPatch(
    a.path,
    b.path,
    a.text ?? '',
    b.text ?? '',
    undefined,
    undefined,
    options,
  );
  return made?.replace(/^=+\n/, '').trimEnd();
}

function isSameJson(a: ComparedFile, b: ComparedFile): boolean {
  if (![a, b].every(({ path }) => path.toLowerCase().endsWith('.json'))) return false;
  try {
    return canonicalJson(parseJson(a.text ?? '')) === canonicalJson(parseJson(b.text ?? ''));
  } catch {
    // It is no JSON, whatever its name says.
    return false;
  }
}
