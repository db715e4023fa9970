// Owns: goals about the history and the state of a git repository.
import type { Action, GitQuery, Query } from '../meaning.ts';
import { inOrder, listOf, map, maybe, oneOf, oneWord, type Rule, rule, said, several } from '../parser.ts';
import type { Period } from '../periods.ts';
import { period } from './periods.ts';
import { anyText, count, file, place } from './values.ts';

type Part = Partial<Pick<GitQuery, 'period' | 'places' | 'author' | 'limit'>>;

const part: Rule<Part> = rule(() =>
  oneOf<Part>(
    map(period, (when: Period) => ({ period: when })),
    map(inOrder(said('in|of|to|for|on'), listOf(place)), ([, places]) => {
      const named = places.filter((one) => one !== '.');
      return named.length === 0 ? {} : { places: named };
    }),
    map(file, (path) => ({ places: [path] })),
    map(said('in git|in git history|with git|here'), () => ({})),
    map(inOrder(said('by|from'), anyText), ([, author]) => ({ author })),
    map(said('by me|of mine'), () => ({ author: 'me' })),
  ),
);
const SHOW = maybe(said('show|show me|list|get|what is|what are|give me|tell me|print|summarise|summarize|see|display'));

export const gitAction: Rule<Action> = rule(() =>
  oneOf<Action>(
    map(inOrder(said('commit|git commit'), maybe(said('everything|my changes|changes|all changes')), said('with message|with commit message|as|saying|, message'), oneWord(({ kind, text }) => (kind === 'quoted' ? text : undefined))), ([, , , message]) => ({ git: 'commit', message })),
    map(said('git push|push|push my commits|push changes'), () => ({ git: 'push' })),
    map(said('git pull|pull|pull changes|pull latest changes'), () => ({ git: 'pull' })),
  ),
);

export const gitQuery: Rule<Query> = rule(() =>
  oneOf<Query>(
    ask('status', inOrder(SHOW, said("git status|status of git|status of git repository|uncommitted changes|what did i change|what have i changed|are there any uncommitted changes|changed files in git|are there uncommitted changes|what is uncommitted|what is not committed|is everything committed|are all my changes committed"))),
    ask('log', inOrder(SHOW, said('git log|git history|commit history|history|commits|commit log|changelog of git|recent commits|latest commits|last commits|what happened in git|what changed in git|what was committed|what did i commit|what did i do in git'))),
    map(inOrder(SHOW, said('last|latest|newest|recent'), maybe(count), said('commits|commit')), ([, , limit]) => ({ git: { ask: 'log' as const, limit: limit ?? 1 } })),
    ask('log', inOrder(said('how many'), said('commits'), maybe(said('were made|are there|did i make|have i made|were there')))),
    ask('authors', inOrder(SHOW, said('who wrote|who wrote most of this|who changed|who worked on|who committed to this repo|who has committed most|who committed most|who are authors|authors|contributors|git authors|who contributed|who works on this|who wrote most|who committed|who has committed|who made most commits'))),
    ask('branch', inOrder(SHOW, said('which branch am i on|which branch is this|current branch|branches|git branches|what branch am i on|which branches are there|git branch|branch'))),
    ask('diff', inOrder(SHOW, said('git diff|diff|what exactly did i change|my changes|changes in git'))),
  ),
);

function ask(what: GitQuery['ask'], words: Rule<unknown>): Rule<Query> {
  return map(inOrder(words, several(part)), ([, parts]) => {
    const keys = parts.flatMap((one) => Object.keys(one));
    return new Set(keys).size < keys.length ? undefined : { git: Object.assign({ ask: what }, ...parts) as GitQuery };
  });
}
