import { describe, expect, it } from 'vitest';
import {
  addRequirement,
  codeSpan,
  listRequirements,
  type Requirement,
  resolveRequirements,
} from './requirements-text.ts';

const FFMPEG: Requirement = {
  dependency: 'ffmpeg',
  task: 'run r1, step 2, process.run `["ffmpeg"]`',
  evidence: 'there is no program "ffmpeg".',
  snippet: 'RUN apt-get install -y ffmpeg',
};
const LIBRARY: Requirement = {
  ...FFMPEG,
  dependency: 'libGL.so.1',
  task: 'run r2, step 1, process.run `["a"]`',
};

const DUTCH = `# Wat wij nodig hebben

Notes of a person, with code:

\`\`\`sh
## ffmpeg
- status: open
\`\`\`

## ffmpeg

* **Status**: resolved (Ann, Tuesday)

Some words about it. - status: open

| a | b |
|---|---|
| 1 | 2 |

## Other things

We drink tea.
`;

describe('the requirements', () => {
  it('start with an explanation and have an entry for each dependency', async () => {
    const text = await addRequirement(await addRequirement(undefined, FFMPEG), LIBRARY);
    expect(text).toMatchInlineSnapshot(`
      "# Install requirements

      These dependencies need root, so Oka could not install them. Add the suggested lines to your image, or install them on the
      machine. Oka adds entries and marks them resolved. You can edit the rest of this file.

      ## ffmpeg

      - status: open
      - blocking task: run r1, step 2, process.run \`["ffmpeg"]\`

      Failure evidence:

      \`\`\`text
      there is no program "ffmpeg".
      \`\`\`

      Suggested Dockerfile snippet:

      \`\`\`dockerfile
      RUN apt-get install -y ffmpeg
      \`\`\`

      ## libGL.so.1

      - status: open
      - blocking task: run r2, step 1, process.run \`["a"]\`

      Failure evidence:

      \`\`\`text
      there is no program "ffmpeg".
      \`\`\`

      Suggested Dockerfile snippet:

      \`\`\`dockerfile
      RUN apt-get install -y ffmpeg
      \`\`\`
      "
    `);
    expect(await listRequirements(text)).toEqual([
      { dependency: 'ffmpeg', status: 'open', tasks: [FFMPEG.task] },
      { dependency: 'libGL.so.1', status: 'open', tasks: [LIBRARY.task] },
    ]);
  });

  it('stay unchanged for the same task and get a line for another run', async () => {
    const once = await addRequirement(undefined, FFMPEG);
    expect(await addRequirement(once, FFMPEG)).toBe(once);
    let text = await addRequirement(once, LIBRARY);
    for (let run = 2; run < 9; run++) text = await addRequirement(text, { ...FFMPEG, task: `run r${run}` });
    const [ffmpeg, library] = await listRequirements(text);
    expect(ffmpeg?.tasks).toEqual([FFMPEG.task, 'run r2', 'run r3', 'run r4', 'run r5']);
    expect(library?.tasks).toEqual([LIBRARY.task]);
  });

  it('are resolved one by one and reopened when the dependency is missing again', async () => {
    const text = await addRequirement(await addRequirement(undefined, FFMPEG), LIBRARY);
    const resolved = await resolveRequirements(text, new Set(['libGL.so.1', 'unheard-of']));
    expect((await listRequirements(resolved)).map(({ status }) => status)).toEqual(['open', 'resolved']);
    expect(await addRequirement(resolved, LIBRARY)).toBe(text);
  });

  it('keep all text of a person', async () => {
    expect(await listRequirements(DUTCH)).toEqual([{ dependency: 'ffmpeg', status: 'resolved', tasks: [] }]);
    const text = await addRequirement(DUTCH, FFMPEG);
    expect(text).toBe(
      DUTCH.replace(
        '* **Status**: resolved (Ann, Tuesday)',
        `* **Status**: open (Ann, Tuesday)\n* blocking task: ${FFMPEG.task}`,
      ),
    );
    expect(await addRequirement(text, FFMPEG)).toBe(text);
    const more = await addRequirement(text, LIBRARY);
    expect(more.startsWith(text.trimEnd())).toBe(true);
    expect(await listRequirements(more)).toHaveLength(2);
  });

  it('keep the line ends of the file', async () => {
    const text = await addRequirement(DUTCH.replaceAll('\n', '\r\n'), LIBRARY);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const resolved = await resolveRequirements(text, new Set(['libGL.so.1']));
    expect((await listRequirements(resolved)).at(-1)).toMatchObject({ status: 'resolved' });
    expect(resolved.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('stay valid for any program output', async () => {
    const evidence = '```\n## other\n\n- status: open\n```` more';
    const text = await addRequirement(undefined, { ...FFMPEG, evidence });
    expect((await listRequirements(text)).map(({ dependency }) => dependency)).toEqual(['ffmpeg']);
    expect(text).toContain(`\`\`\`\`\`text\n${evidence}\n\`\`\`\`\`\n`);
  });

  it('quote code that contains backticks', () => {
    expect(codeSpan('plain')).toBe('`plain`');
    expect(codeSpan('a `b` ``c``')).toBe('``` a `b` ``c`` ```');
  });
});
