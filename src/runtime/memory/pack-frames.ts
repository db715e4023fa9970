import { type FrameForText, findFrame, framesForText } from '../../context/index.ts';
import type { ContentOrigins } from '../../engine/index.ts';
import { describeFreshness, describeUnchecked, digestOf } from '../../kernel/index.ts';
import { frameSource, type PackFrame, type PackSource } from '../../memory/index.ts';
import { type ContextServices, framesOn } from '../context/context.ts';

type FrameParts = ReturnType<ReturnType<typeof framesOn>['frames']['reading']>;

/** The frames of the workspace, as a source of context packs. */
export function packFrames(
  services: ContextServices & { readonly content?: () => Promise<ContentOrigins> },
): PackSource {
  const reading = () => framesOn(services, services.ledger()).frames.reading();
  return frameSource({
    find: async (text, limit) => {
      const origins = await services.content?.();
      const parts = reading();
      const found = await framesForText(parts, text, limit);
      return Promise.all(found.map((one) => toFound(one, parts, origins)));
    },
    read: async (id) => {
      const frame = await findFrame(reading(), id);
      return frame && toPackFrame(frame);
    },
  });
}

async function toFound(
  { frame, named, ...mark }: FrameForText,
  parts: FrameParts,
  origins: ContentOrigins | undefined,
) {
  const isUntrusted = origins !== undefined && (await restsOnUntrusted(frame.id, parts, origins));
  return {
    ...toPackFrame(frame),
    ...noteOf(mark),
    ...(named === undefined ? {} : { named }),
    ...(isUntrusted ? { ofStrangers: true as const } : {}),
  };
}

/** The state of a frame in words; nothing for a fresh one. */
function noteOf({ stale, state, uncheckedSince, restsOnStale }: Omit<FrameForText, 'frame' | 'named'>) {
  if (state === 'fresh') return {};
  if (state === 'not_checked') return { note: describeUnchecked(uncheckedSince) };
  if (state === 'gone') return { note: 'stale: the file is gone' };
  if (state === 'invalid') return { note: 'stale: somebody marked it as outdated' };
  if (state === 'rests_on_stale') return { note: `rests on what is stale: ${describeCauses(restsOnStale)}` };
  return stale ? { note: describeFreshness({ stale }) } : {};
}

/** Such as `src/a.ts since 2026-01-31T12:00:00.000Z and 2 more`. */
function describeCauses(rests: FrameForText['restsOnStale']): string {
  const [first] = rests?.heads ?? [];
  if (rests === undefined || first === undefined) return 'a frame below';
  const since = first.since === undefined ? '' : ` since ${new Date(first.since).toISOString()}`;
  const more = rests.count > 1 ? ` and ${rests.count - 1} more` : '';
  return `${first.path}${since}${more}`;
}

/** Whether a frame, or one of the frames that it was built from, is untrusted content. */
async function restsOnUntrusted(id: string, parts: FrameParts, origins: ContentOrigins): Promise<boolean> {
  const frames = new Set([id]);
  for (const one of frames) {
    const record = await parts.records.frame(one);
    const digest = record?.blob ?? (record?.content === undefined ? undefined : digestOf(record.content));
    if (digest !== undefined && (await origins.untrustedFrom(digest)) !== undefined) return true;
    const { basis } = record ?? {};
    if (basis !== undefined && basis.kind !== 'node')
      for (const [, child] of basis.children) frames.add(child);
  }
  return false;
}

function toPackFrame({ id, path, type, agent, content }: FrameForText['frame']): PackFrame {
  return { id, path, type, agent, content };
}
