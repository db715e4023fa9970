import { type FrameForText, findFrame, framesForText } from '../../context/index.ts';
import { frameSource, type PackFrame, type PackSource } from '../../memory/index.ts';
import { type ContextServices, framesOn } from '../context/context.ts';

/** The frames of the workspace, as a source of context packs. */
export function packFrames(services: ContextServices): PackSource {
  const parts = () => framesOn(services, services.ledger()).parts;
  return frameSource({
    find: async (text, limit) => (await framesForText(parts(), text, limit)).map(toFound),
    read: async (id) => {
      const frame = await findFrame(parts(), id);
      return frame && toPackFrame(frame);
    },
  });
}

function toFound({ frame, stale, named }: FrameForText) {
  return { ...toPackFrame(frame), stale, ...(named === undefined ? {} : { named }) };
}

function toPackFrame({ id, path, type, agent, content }: FrameForText['frame']): PackFrame {
  return { id, path, type, agent, content };
}
