import { describe, expect, it } from 'vitest';
import { fakeTool } from '../../test/support/fake-tool.ts';
import { ToolChooser } from './choose-tool.ts';
import { readGoal } from './read-goal.ts';
import type { ReadableTool } from './types.ts';

const text = { type: 'string' };
const effect = {
  readOnly: false,
  destructive: false,
  idempotent: true,
  cacheable: false,
  risk: 'low',
} as const;

function tool(
  name: string,
  description: string,
  annotations: Partial<ReadableTool['annotations']> = {},
): ReadableTool {
  const whole = { ...fakeTool(name, {}).annotations, ...annotations };
  return fakeTool(name, { path: text }, [], {
    description,
    annotations: whole,
    sideEffect: whole.readOnly ? 'read' : 'write_local',
  });
}

const chooseTool = (goal: string, tools: readonly ReadableTool[] = TOOLS): string | undefined =>
  new ToolChooser(tools).choose(readGoal(goal))?.tool.name;

const TOOLS = [
  tool('files.read', 'Reads a text file.'),
  tool('files.list', 'Lists the files and folders in a folder.'),
  tool('files.search', 'Searches files for a text.'),
  tool('files.write', 'Writes a text file.', effect),
  tool('weather.current', 'Tells the temperature and wind of a city.'),
  tool('trash.empty', 'Empties the trash.', { ...effect, destructive: true }),
];

describe('choosing a tool', () => {
  it.each([
    ['read README.md', 'files.read'],
    ['show README.md', 'files.read'],
    ['listing src', 'files.list'],
    ['find "x"', 'files.search'],
    ['save "x" to y', 'files.write'],
    ['write a list of files to x.txt', 'files.write'],
    ['temperature and wind in Paris.txt', 'weather.current'],
    ['empty the trash', 'trash.empty'],
  ])('chooses the tool with that verb, or the one that covers the whole goal: %s', (goal, name) => {
    expect(chooseTool(goal)).toBe(name);
  });

  it.each(['delete all files', 'trash', 'files', 'paint a list', '', '"read"', 'README.md', 'the wind'])(
    'chooses none if the match is uncertain: %s',
    (goal) => {
      expect(chooseTool(goal)).toBeUndefined();
    },
  );

  it('prefers the least harmful of equal matches, in any order', () => {
    const same = 'Sends a thing.';
    const tools = [
      tool('c.send', same, { ...effect, destructive: true }),
      tool('d.send', same, { ...effect, idempotent: false }),
      tool('b.send', same, effect),
      tool('a.send', same, { ...effect, destructive: true }),
    ];
    const names: (string | undefined)[] = [];
    for (
      let left = tools;
      left.length > 0;
      left = left.filter((candidate) => candidate.name !== names.at(-1))
    ) {
      names.push(chooseTool('send it', left));
    }
    expect(names).toEqual(['b.send', 'd.send', 'a.send', 'c.send']);
  });

  it.each([
    ['a lower risk', { annotations: { risk: 'low' } }, { annotations: { risk: 'high' } }],
    ['a local effect', { sideEffect: 'write_local' }, { sideEffect: 'external_mutation' }],
  ] as const)(
    'prefers, of tools with equal effects and equal relevance, the one with %s',
    (_, safe, risky) => {
      const sender = (name: string, { annotations, sideEffect }: Partial<ReadableTool>): ReadableTool => {
        const made = tool(name, 'Sends a thing.', { ...effect, ...annotations });
        return { ...made, sideEffect: sideEffect ?? made.sideEffect };
      };
      // By name alone the risky one would be first.
      const tools = [sender('a.send', risky as never), sender('b.send', safe as never)];
      for (const given of [tools, tools.toReversed()]) {
        expect(chooseTool('send it', given)).toBe('b.send');
        const near = new ToolChooser(given).nearest(['send', 'thing'], 1);
        expect(near.map(({ name }) => name)).toEqual(['b.send']);
      }
    },
  );

  it('prefers the more relevant tool, even if it has a higher risk', () => {
    const exact = tool('mail.send', 'Sends a mail to a person.', { ...effect, risk: 'high' });
    const vague = tool('parcel.send', 'Sends a parcel with a label and a stamp.', {
      ...effect,
      risk: 'none',
    });
    expect(chooseTool('send a mail to a person', [vague, exact])).toBe('mail.send');
    expect(
      new ToolChooser([vague, exact]).nearest(['send', 'mail', 'person'], 2).map(({ name }) => name),
    ).toEqual(['mail.send', 'parcel.send']);
  });

  it('accepts a loose verb only with a quoted text or an earlier output', () => {
    const send = fakeTool('mail.send', { text }, ['text']);
    const earlier = { text: () => '{{read.content}}', named: () => undefined, field: () => undefined };
    const chooser = new ToolChooser([send]);
    expect(chooser.choose(readGoal('tell me the news'))).toBeUndefined();
    expect(chooser.choose(readGoal('tell them "hello"'))?.input).toEqual({ text: 'hello' });
    expect(chooser.choose(readGoal('tell them that'), earlier)?.input).toEqual({ text: '{{read.content}}' });
  });

  it('prefers the tool that has a parameter for everything in the goal', () => {
    const named = fakeTool('notes.read', { title: text });
    expect(chooseTool('read notes/a.md', [named, ...TOOLS])).toBe('files.read');
    expect(chooseTool('read title "a"', [named, ...TOOLS])).toBe('notes.read');
  });

  it('ignores a tool that needs structured parameters', () => {
    const children = fakeTool('engine.run_children', { children: { type: 'array' } }, ['children']);
    expect(chooseTool('run children', [children])).toBeUndefined();
  });

  it('names the nearest tools', () => {
    expect(new ToolChooser(TOOLS).nearest(['delete', 'text', 'file'], 2).map(({ name }) => name)).toEqual([
      'files.read',
      'files.write',
    ]);
    expect(new ToolChooser(TOOLS).nearest(['qwertz'], 2)).toEqual([]);
  });
});
