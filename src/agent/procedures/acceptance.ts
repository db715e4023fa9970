import type { JsonObject } from '../../kernel/index.ts';

/** A check that work was done; the same form as a criterion of a task. */
export type Acceptance =
  | { readonly file_exists: string }
  | { readonly file_contains: { readonly path: string; readonly text: string } }
  | { readonly no_policy_violation: true };

/** The heading of each procedure's note, by its parameters. */
const HEADINGS: Readonly<Record<string, (parameters: JsonObject) => string>> = {
  'brief-folder': () => '# Brief of ',
  'summarise-data': ({ file }) => `# Summary of ${String(file)}`,
  'collect-todos': ({ folder }) => `# Open TODOs of ${place(folder)}`,
  'collect-matches': () => '# Matches',
  'find-large-files': () => '# Large files of ',
  'find-duplicates': () => '# Duplicate files of ',
  'compare-folders': ({ one, other }) => `# ${String(one)} compared with ${String(other)}`,
  'check-links': ({ place: where }) => `# Links of ${place(where)}`,
  'run-tests': ({ folder }) => `# Tests of ${place(folder)}`,
  'rename-files': () => '# Renamed files',
};

/** Procedures that change more than their note, or start a program. */
const ACTING: ReadonlySet<string> = new Set(
  `run-tests rename-files copy-files move-files delete-files delete-duplicates make-folders organise-files archive-files
  unpack-archive merge-files write-text remember-fact forget-fact set-reminder cancel-reminder git-history`.split(
    /\s+/,
  ),
);

/** How to verify the result of a procedure, and whether it changes anything. */
export function procedureAcceptance(
  procedure: string,
  parameters: JsonObject,
): { readonly effects: boolean; readonly acceptance: readonly Acceptance[] } {
  const { note = parameters['target'] } = parameters;
  const heading = HEADINGS[procedure];
  const acts = ACTING.has(procedure);
  const written: Acceptance[] =
    typeof note !== 'string'
      ? []
      : heading === undefined
        ? [{ file_exists: note }]
        : [{ file_contains: { path: note, text: heading(unsettled(parameters)) } }];
  return {
    effects: acts || written.length > 0,
    acceptance: [...written, ...(acts ? [{ no_policy_violation: true } as const] : [])],
  };
}

/** The heading before its place, while the place is not certain. */
function unsettled(parameters: JsonObject): JsonObject {
  return parameters['perhaps'] === undefined ? parameters : { ...parameters, folder: '', place: '' };
}

function place(folder: unknown): string {
  return folder === '.' ? 'this folder' : String(folder);
}
