import { expect, test } from 'vitest';
import { splitWords } from './split-words.ts';

test.for([
  ['graph list', ['graph', 'list']],
  ['  memory   retrieve "the beds" ', ['memory', 'retrieve', 'the beds']],
  [`tools call files.read '{"path":"a b"}'`, ['tools', 'call', 'files.read', '{"path":"a b"}']],
  ['say "a \\"quoted\\" word"', ['say', 'a "quoted" word']],
  ["say it''s", ['say', 'its']],
  ['say a\\ b \\"c', ['say', 'a b', '"c']],
  ['say ""', ['say', '']],
  ["say '\\n'", ['say', '\\n']],
  ['two\nlines', ['two', 'lines']],
  ['', []],
] as const)('%s is split as a shell would', ([line, words]) => {
  expect(splitWords(line)).toEqual(words);
});

test.for(['say "beds', "say it's", 'say \\'])('rejects the unclosed quote in %s', (line) => {
  expect(() => splitWords(line)).toThrow(/Unclosed quote/);
});
