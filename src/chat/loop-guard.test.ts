import { describe, expect, it } from 'vitest';
import { cycleOf, nearEqual, type Reply } from './loop-guard.ts';

/** Replies of agents in turn, newest first. */
function rounds(
  agents: readonly string[],
  times: number,
  say: (agent: string, turn: number) => string,
): Reply[] {
  const turns = Array.from({ length: agents.length * times }, (_, i): Reply => {
    const agent = agents[i % agents.length] as string;
    return { agent, text: say(agent, i) };
  });
  return turns.reverse();
}

const CIRCLES = [
  ['two', ['a', 'b']],
  ['three', ['a', 'b', 'c']],
  ['five', ['a', 'b', 'c', 'd', 'e']],
] as const;

describe('cycleOf', () => {
  it.each(CIRCLES)('detects %s agents that repeat themselves three times, and not earlier', (_, agents) => {
    const said = rounds(agents, 3, (agent) => `Your turn, says ${agent}.`);
    expect(cycleOf(said)).toEqual(agents);
    expect(cycleOf(said.slice(1))).toBeUndefined();
  });

  it.each(CIRCLES)('ignores %s agents that count up', (_, agents) => {
    const long = 'I have counted on as you have asked me to do, and this is where I have arrived by now';
    expect(cycleOf(rounds(agents, 20, (_, turn) => `${turn}`))).toBeUndefined();
    expect(cycleOf(rounds(agents, 20, (_, turn) => `${long}: ${turn}. ${long}.`))).toBeUndefined();
  });

  it('detects a cycle that contains an agent twice, after other replies', () => {
    const twice = ['a', 'b', 'a', 'c'];
    const loop = rounds(twice, 3, (agent) => `${agent} thanks you all`);
    expect(cycleOf([...loop, { agent: 'x', text: 'The plan is ready.' }])).toEqual(twice);
  });

  it('ignores equal words from an agent outside the cycle', () => {
    const said = rounds(['a', 'b'], 3, () => 'yes');
    said[3] = { agent: 'c', text: 'yes' };
    expect(cycleOf(said)).toBeUndefined();
  });
});

describe('nearEqual', () => {
  it.each([
    ['Thanks, Arya!', 'thanks arya'],
    ['👍', ' 👍 '],
    [
      'I think that we are done here and that nothing more is to be said about any of this at all today',
      'I think that we are done here and that nothing more is to be said about any of this at all, really, today',
    ],
  ])('%j is %j', (one, other) => {
    expect(nearEqual(one, other)).toBe(true);
  });

  it.each([
    ['👍', '👎'],
    ['yes', ''],
    ['The roses are red', 'The violets are blue'],
    ['step 1 of 9 is done', 'step 2 of 9 is done'],
    [`${'a '.repeat(50_000)}`, `${'a '.repeat(20_000)}`],
  ])('%j is not %j', (one, other) => {
    expect(nearEqual(one, other)).toBe(false);
  });
});
