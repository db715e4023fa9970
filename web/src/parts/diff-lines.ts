export interface DiffLine {
  readonly kind: 'add' | 'remove' | 'hunk' | 'same';
  readonly text: string;
}

/** The lines of a unified diff. Names of files before the first hunk are left out. */
export function diffLines(diff: string): readonly DiffLine[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(0, firstHunk)).map((text) => ({ kind: kindOf(text), text }));
}

function kindOf(line: string): DiffLine['kind'] {
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'add';
  return line.startsWith('-') ? 'remove' : 'same';
}
