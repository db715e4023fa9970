import { describe, expect, it } from 'vitest';
import { addressed, mentionsIn } from './mentions.ts';

const known = { person: 'user', agents: new Set(['arya', 'gendry', 'sansa']), present: ['arya', 'gone'] };

describe('mentionsIn', () => {
  it.each([
    ['@arya @gendry solve it', ['arya', 'gendry']],
    ['hello (@arya), "@gendry": *@sansa*!', ['arya', 'gendry', 'sansa']],
    ['@arya and @arya again, @arya.', ['arya']],
    ['one\n@arya\r\n@gendry', ['arya', 'gendry']],
    ['@a_b-c9, @x', ['a_b-c9', 'x']],
    ['@Zoë @Zoe\u0308 @आर्या @名前', ['Zoë', 'आर्या', '名前']],
    ['nobody here, and an @ alone', []],
  ])('finds the names in %j', (text, names) => {
    expect(mentionsIn(text)).toEqual(names);
  });

  it.each([
    'write to arya@winter.org, or a.b+c@winter.org',
    '@@arya',
    '@arya@winter',
    '@ab@cd and see https://x.org/@arya',
    'the word x@arya',
  ])('finds none in %j', (text) => {
    expect(mentionsIn(text)).toEqual([]);
  });

  it.each([
    ['`@arya` @gendry', ['gendry']],
    ['``a ` @arya`` @gendry', ['gendry']],
    ['a ` alone @arya', ['arya']],
    ['a `` pair of unlike ` ends @arya', ['arya']],
    ['an escaped \\` @arya ` and no code', ['arya']],
    ['one ` tick\n\n@arya is in another paragraph `', ['arya']],
    ['```\n@arya\n```\n@gendry', ['gendry']],
    ['~~~ text\n@arya\n```\n~~~\n@gendry', ['gendry']],
    ['````\n```\n@arya\n````\n@gendry', ['gendry']],
    ['  ```js\n@arya\n  ```  \n@gendry', ['gendry']],
    ['```\n@arya that never ends', []],
    ['```\r\n@arya\r\n```\r\n@gendry', ['gendry']],
    ['```@arya``` @gendry', ['gendry']],
    ['    ```\n@arya', ['arya']],
  ])('ignores code: %j', (text, names) => {
    expect(mentionsIn(text)).toEqual(names);
  });

  it.each([
    ['backticks and no end', `x ${'`'.repeat(500_000)}${'a'.repeat(500_000)} @arya`, ['arya']],
    [
      'backticks of every length',
      `x ${Array.from({ length: 1_400 }, (_, i) => '`'.repeat(i + 1)).join('a')} @arya`,
      ['arya'],
    ],
    ['signs', `${'@'.repeat(1_000_000)} @arya`, ['arya']],
    ['a long name', `@${'a'.repeat(1_000_000)}@ @arya`, ['arya']],
    ['backslashes', `${'\\'.repeat(1_000_000)}\` @arya`, ['arya']],
    ['fences', `${'```\n~~~\n'.repeat(100_001)}@arya`, []],
  ])('reads a megabyte of %s', (_, text, names) => {
    expect(mentionsIn(text)).toEqual(names);
  });
});

describe('addressed', () => {
  it('returns agents, and each unknown name once', () => {
    expect(addressed('@arya @nobody @gendry @nobody', 'user', known)).toEqual({
      agents: ['arya', 'gendry'],
      unknown: ['nobody'],
    });
  });

  it('skips the sender and the person', () => {
    expect(addressed('@arya @user @gendry', 'arya', known)).toEqual({ agents: ['gendry'], unknown: [] });
  });

  it('expands @all to the existing participants if a person wrote it', () => {
    expect(addressed('@all', 'user', known)).toEqual({ agents: ['arya'], unknown: [] });
    expect(addressed('@all @gendry', 'sansa', known)).toEqual({ agents: ['gendry'], unknown: [] });
  });
});
