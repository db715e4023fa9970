import type { SynthesisPolicy } from '../synthesis-policy.ts';
import { joinChildren } from './concatenation.ts';
import { count, list, readParameters, words } from './read-parameters.ts';

const PARAMETERS = {
  types: list,
  agents: list,
  kinds: list,
  contains: words,
  max_frames: count(50),
  max_bytes: count(262_144),
};

/** Joins the frames that match by type, agent, kind of child, or a text that they contain. */
export const filtering: SynthesisPolicy = {
  name: 'filtering',
  version: '1',
  deterministic: true,
  parameters: (given) => readParameters('filtering', PARAMETERS, given),
  synthesize: ({ children, parameters }) => {
    const { types, agents, kinds, contains, max_frames, max_bytes } = parameters;
    const among = (wanted: unknown, value: string): boolean =>
      wanted === undefined || (wanted as readonly string[]).includes(value);
    const text = (contains as string | undefined)?.toLowerCase() ?? '';
    const chosen = children.filter(
      ({ type, agent, kind, content }) =>
        among(types, type) &&
        among(agents, agent) &&
        among(kinds, kind) &&
        content.toLowerCase().includes(text),
    );
    return joinChildren(chosen.slice(0, max_frames as number), max_bytes as number);
  },
};
