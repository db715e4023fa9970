import { describe, expect, it } from 'vitest';
import { isOkaError } from '../kernel/index.ts';
import { parseScript } from './script.ts';

function problemsOf(source: unknown): unknown {
  try {
    parseScript(source);
    return [];
  } catch (error) {
    if (!isOkaError(error, 'models.script_invalid')) throw error;
    return error.data['problems'];
  }
}

describe('parseScript', () => {
  it('accepts every kind of turn', () => {
    const turns = [
      { when: 'a', agent: 'b', role: 'planner', text: 'c', delay_ms: 0, once: true },
      { json: null },
      { text: 'x', tool_calls: [{ tool: 'a', input: {} }] },
      { error: 'stream_cut', text: 'half' },
      { error: 'refused' },
    ];
    expect(parseScript({ turns })).toEqual({ turns });
  });

  it('lists all problems with their paths', () => {
    const problems = problemsOf({
      turns: [
        { text: 1 },
        { text: 'a', words: 'b' },
        {},
        { text: 'a', json: {} },
        { error: 'sad' },
        { when: '/(/', text: 'a' },
        { when: '/a/g', text: 'a' },
        { tool_calls: [{ tool: 'a' }] },
        { error: 'refused', text: 'why' },
        { error: 'refused', json: 1 },
        { role: 'plumber', text: 'a' },
      ],
      extra: 1,
    }) as string[];
    for (let i = 0; i < 11; i++) expect(problems.join('\n')).toContain(`$.turns[${i}]`);
    expect(problems.join('\n')).toContain('extra');
    expect(problems.join('\n')).toContain('the flag "g" is not known');
  });

  it.each([[null], [[]], ['turns'], [{}], [{ turns: {} }]])('rejects %j', (source) => {
    expect(problemsOf(source)).toHaveLength(1);
  });
});
