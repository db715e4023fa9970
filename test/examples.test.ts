import { describe, expect, it } from 'vitest';

describe('the example that embeds an engine', () => {
  it('runs, finishes and explains itself', async () => {
    const { result } = await import('../examples/embed-an-engine.ts');
    expect(result).toEqual({
      output: 'HELLO',
      seen: ['call_tool', 'finish'],
      states: ['think', 'done'],
      steps: 2,
    });
  });
});
