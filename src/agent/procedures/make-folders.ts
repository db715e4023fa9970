import { asObject } from '../../kernel/index.ts';
import type { Goal } from '../../language/index.ts';
import { callsOf } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { GoalText, pathOf } from './goal-text.ts';
import { code } from './markdown-text.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';
import { changeOnce, seeFolders, sizesNow } from './survey-step.ts';

interface FolderParameters extends ReportParameters {
  readonly folders: readonly string[];
}

const TOOL = 'files.make_folders';

export const makeFolders: Procedure = reportProcedure<FolderParameters>({
  name: 'make-folders',
  description: 'Creates folders, also below each other.',
  example: 'create the folders drafts, photos and photos/2026',
  triggers: ['create folders', 'make folder', 'add directory'],
  vocabulary: { needs: [], also: 'create make folder directory' },
  tools: ['files.survey', TOOL],
  understand,
  look: () => undefined,
  effect: (input, { folders }) =>
    changeOnce(input, TOOL, { paths: [...folders] }, 'the goal names the folders'),
  verify: (input, { folders }) => seeFolders(input, folders),
  report(input, { folders }) {
    const made = asObject(callsOf(input, TOOL).at(-1)?.output)['paths'];
    const now = sizesNow(input, folders);
    return {
      title: 'Folders',
      answer: `${folders.map(code).join(', ')} ${folders.length === 1 ? 'is' : 'are'} there.`,
      sections: [],
      facts: { folders: [...folders] },
      leftOut: [],
      checks: [
        { check: 'the folders were created', holds: Array.isArray(made) },
        { check: 'every folder is there', holds: folders.every((folder) => now.has(folder)) },
      ],
    };
  },
});

const NAME =
  '(?:§[pq]|(?!(?:and|in|inside|under|for|with|to|called|named|each|every|all|of|per|that|which|from|by|structure|tree)(?![^\\s|,]))[^\\s|,§]+)';

function understand(goal: Goal): { said: string; parameters: FolderParameters } | undefined {
  const text = new GoalText(goal);
  const verb = text.take('(?:create|make|add|mkdir|set up|new)');
  const noun =
    '(?:(?:an?|the|some|these|\\d+) )?(?:(?:new|empty|following) )?(?:sub-?)?(?:folders?|director(?:y|ies))';
  const list = `(?<names>${NAME}(?:(?: , and| ,| and) ${NAME})*)`;
  const phrase =
    (verb?.text === 'mkdir' ? text.take(list) : undefined) ??
    text.take(`${noun} (?:(?:called|named|for) )?${list}`) ??
    text.take(`(?:an?|the) ${list} (?:folder|directory)|(?<only>§[pq]) (?:folder|directory)`);
  if (!verb || !phrase) return undefined;
  const inside = text.take(
    `(?:in|inside|under|within) (?:the |my )?(?:(?:folder|directory) )?(?<place>${NAME})(?: (?:folder|directory))?`,
  );
  if (
    !text.isRead() ||
    !/^(?:create|make|add|mkdir|set|new|please|can|could|i|let|would|and)/i.test(goal.text.trim())
  )
    return undefined;
  const group = phrase.get('names') === undefined ? 'only' : 'names';
  const place = inside?.get('place');
  const names = phrase
    .tokens(group)
    .filter(({ kind, text: word }) => kind !== 'comma' && !/^and$/i.test(word))
    .map(({ text: word }) => pathOf(word));
  const folders = names.map((name) =>
    place === undefined || pathOf(place) === '.' ? name : `${pathOf(place)}/${name}`,
  );
  if (folders.length === 0 || folders.some((folder) => /[*?]/.test(folder) || folder === '.'))
    return undefined;
  return { said: `${verb.text} folder`, parameters: { folders } };
}
