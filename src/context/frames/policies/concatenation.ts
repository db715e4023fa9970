import type { ChildContext, SynthesisPolicy } from '../synthesis-policy.ts';
import { count, readParameters } from './read-parameters.ts';

const CUT = '\n\n[cut here: more than the policy keeps]\n';

/** Joins all frames, each under the name of its child. */
export const concatenation: SynthesisPolicy = {
  name: 'concatenation',
  version: '1',
  deterministic: true,
  parameters: (given) => readParameters('concatenation', { max_bytes: count(262_144) }, given),
  synthesize: ({ children, parameters }) => joinChildren(children, parameters['max_bytes'] as number),
};

/** Joins the contents under the names of their children; cuts at `maxBytes`, between characters. */
export function joinChildren(children: readonly ChildContext[], maxBytes: number): string {
  const parts: string[] = [];
  let room = maxBytes;
  for (const { name, type, content } of children) {
    const part = `## ${name} (${type})\n\n${content.trimEnd()}\n`;
    const bytes = Buffer.byteLength(part);
    if (bytes > room) {
      parts.push(cutText(part, room) + CUT);
      break;
    }
    parts.push(part);
    room -= bytes;
  }
  return parts.join('\n');
}

function cutText(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
