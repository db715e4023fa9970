import { type GoalText, pathOf } from './goal-text.ts';

const SAVING =
  '(?:(?:, )?(?:and )?(?:then )?(?:save|write|put|store|record|report|list)(?: (?:it|them|that|this|everything|the (?:list|lists|result|results|report|answer|names)))?';
const RESULT = '(?:(?:a|the) )?(?:(?:note|report|file|document|list) )?(?:(?:called|named) )?(?<note>§[pq])';

/** Takes the file that a goal names for the report: "… into found.md", "… and save it in list.txt". */
export function takeNote(text: GoalText): string | undefined {
  const phrase =
    text.take(`${SAVING} )?(?:into|to|as) ${RESULT}`, isNote) ?? text.take(`${SAVING} in) ${RESULT}`, isNote);
  return phrase && pathOf(phrase.get('note') ?? '');

  function isNote({ get }: { get(group: string): string | undefined }): boolean {
    return /\.(?:md|markdown|txt)$/i.test(get('note') ?? '');
  }
}
