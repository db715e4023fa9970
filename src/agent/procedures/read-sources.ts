import { type GoalText, pathOf } from './goal-text.ts';

/** Takes files and folders that a goal names one by one: `a.txt`, "a.txt and b.txt", "the folder docs". */
export function takeSources(text: GoalText): string[] {
  const one =
    '(?:(?:the|my) )?(?:(?:files?|folders?|directory|archive) )?§[pq](?: (?:file|folder|directory))?';
  const phrase = text.take(
    `(?<!(?:^|[\\s|])(?:in|inside|within|under|from|of|below|at|on|than) )(?<sources>${one}(?:(?: ,)?(?: and)? ${one})*)(?! files?(?![^\\s|]))`,
    ({ tokens }) =>
      tokens('sources').every(
        ({ kind, text: path }) =>
          !(kind === 'path' && /^\.[\p{L}\p{N}]+$/u.test(path)) || text.has('(?:file|rename) §p'),
      ),
  );
  if (phrase) {
    const tokens = phrase.tokens('sources').filter(({ kind }) => kind === 'path' || kind === 'quoted');
    return [...new Set(tokens.map(({ text: path }) => pathOf(path)))].filter((path) => path !== '.');
  }
  const word = text.take(
    '(?:the |my )?(?:folder|directory) (?<source>(?!(?:called|named|in|of|for|and|to|with)(?![^\\s|]))[^\\s|,§]+)(?! files?)|(?:the|my) (?<other>(?!(?:empty|new|whole|current|largest|biggest|oldest|newest|same)(?![^\\s|]))[^\\s|,§]+) (?:folder|directory)',
  );
  const name = word?.get('source') ?? word?.get('other');
  return name === undefined ? [] : [pathOf(name)];
}
