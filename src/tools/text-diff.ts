/** More changed lines than this are not shown. */
const MOST_CHANGES = 1_000;

/** What changed in a text file, as a unified diff with three lines around each change. */
export async function unifiedDiff(path: string, before: string, after: string): Promise<string> {
  // Most processes never show a diff, so they start without what it takes.
  const { createTwoFilesPatch } = await import('diff');
  const options = { context: 3, maxEditLength: MOST_CHANGES };
  const patch: string | undefined = createTwoFilesPatch(
    `a/${path}`,
    `b/${path}`,
    before,
    after,
    undefined,
    undefined,
    options,
  );
  if (patch === undefined) return `a/${path} and b/${path} differ in more lines than a diff shows\n`;
  return patch.replace(/^=+\n/, '');
}
