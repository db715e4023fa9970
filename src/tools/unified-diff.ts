const MAX_CHANGED_LINES = 1_000;

/** A unified diff with three lines of context. Undefined content means that the file does not exist. */
export async function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string> {
  // Loaded here, because most processes never show a diff.
  const { createTwoFilesPatch } = await import('diff');
  const options = { context: 3, maxEditLength: MAX_CHANGED_LINES };
  const a = before === undefined ? '/dev/null' : `a/${path}`;
  const b = after === undefined ? '/dev/null' : `b/${path}`;
  const texts = [before ?? '', after ?? ''] as const;
  const patch: string | undefined = createTwoFilesPatch(a, b, ...texts, undefined, undefined, options);
  if (patch === undefined) return `${a} and ${b} differ in more than ${MAX_CHANGED_LINES} lines\n`;
  return patch.replace(/^=+\n/, '');
}
