import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { type ApprovalView, type ExplainAnswer, marked, visible, visibleJson } from '../api/index.ts';
import { ActionLines } from './action-lines.ts';
import { showApproval, showCard } from './approval-card.ts';
import { showExplanation, table } from './format.ts';
import { createColors, own, Terminal, toTerminal } from './terminal-text.ts';

const TRICKS = [
  ...[
    '\u001b[2K',
    '\u001b[8m',
    '\u001b]0;title\u0007',
    '\u009b31m',
    '\r',
    '\u0000',
    '\b',
    '\u202e',
    '\u2066',
  ],
  ...[
    '\u200b',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u2028',
    '\u00ad',
    '\u3164',
    '\u{e0041}',
    '\n',
    '\t',
    ' '.repeat(5_000),
  ],
  ...[
    '\nin .  ·  sandboxed, no network  ·  can be undone',
    '\n  └ [y] yes',
    '\nclass     read',
    'a b',
    '"',
    "'",
    '⏎',
    '↳',
    '🙂',
  ],
];
const foreign = fc
  .array(fc.oneof(fc.constantFrom(...TRICKS), fc.string({ unit: 'grapheme', maxLength: 20 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));
/** What no person may get raw, in the text of a card and in any other. */
const HIDDEN = /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}]/u;
const JOINED =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;
const hasHidden = (text: string): boolean => HIDDEN.test(text.replaceAll(JOINED, ''));
const colors = pc.createColors(false);

function asking(tool: string, given: Record<string, string>, words: readonly string[]): ApprovalView {
  const [because = '', effect = '', rationale = ''] = words;
  const argv = Object.values(given);
  return {
    ...{ id: '01ja', run: '01jb', status: 'pending', kind: 'tool', tool, effect, rationale, requestedAt: 0 },
    ...{ expiresAt: 0, argumentsHash: 'h', sideEffect: 'external_mutation', why: because, rule: effect },
    arguments: tool === 'process.run' ? { argv, cwd: effect, network: { hosts: [because] } } : given,
    now: {
      because,
      canUndo: false,
      sandbox: 'bubblewrap',
      diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${effect.replaceAll('\n', '\n-')}`,
    },
  } as unknown as ApprovalView;
}

const calls = fc.tuple(
  fc.oneof(fc.constantFrom('process.run', 'files.write', 'http.fetch', 'mcp.x.y'), foreign),
  fc.dictionary(foreign, foreign, { maxKeys: 4 }),
  fc.array(foreign, { minLength: 3, maxLength: 3 }),
);

test('a card shows foreign text without hidden characters, and no line of it can be taken for one of the card', () => {
  fc.assert(
    fc.property(calls, fc.integer({ min: 40, max: 120 }), ([tool, given, words], columns) => {
      const { body } = showCard(asking(tool, given, words), { columns, colors });
      expect(hasHidden(body)).toBe(false);
      const [head, ...lines] = body.split('\n');
      expect(head).toMatch(/^ {2}┌ /);
      for (const line of lines)
        expect(line).toMatch(/^ {2}│ (?:› |↳ |[-+@┊]|in |sandboxed|network|cannot be|asks because|… )/);
      const ownLines = lines.filter((line) => /^ {2}│ (?:in |sandboxed)/.test(line));
      expect(ownLines.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 100, endOnFailure: true },
  );
});

test('the details of a request have one line for each fact', () => {
  const known = /^(?:approval|run|tool|effect|class|why|reason|expires|hash|arguments|diff)\b|^[-+@┊ {}]/;
  fc.assert(
    fc.property(calls, ([tool, given, words]) => {
      const shown = showApproval(asking(tool, given, words));
      expect(hasHidden(shown)).toBe(false);
      const lines = shown.split('\n');
      for (const line of lines) expect(line).toMatch(known);
      expect(lines.filter((line) => line.startsWith('class '))).toHaveLength(1);
    }),
    { numRuns: 100, endOnFailure: true },
  );
});

test('a card says that it is cut, and a run of spaces does not cut it', () => {
  const cut = (words: readonly string[]): boolean =>
    showCard(asking('process.run', Object.fromEntries(words.map((word, at) => [String(at), word])), []), {
      columns: 80,
      colors,
    }).isCut;
  expect(cut(['node', '-e', `1${' '.repeat(5_000)}; hidden()`])).toBe(false);
  expect(cut(['node', '-e', `1${'\n'.repeat(5_000)}; hidden()`])).toBe(false);
  expect(cut(['node', '-e', `1${'/**/'.repeat(5_000)}; hidden()`])).toBe(true);
  expect(marked(`a${' '.repeat(5_000)}b\nc\t⏎`)).toBe('a[␠×5000]b⏎c⇥\\u{23ce}');
});

test('everything that leaves through a terminal is plain text and sequences of Oka', () => {
  const styles = createColors(true);
  fc.assert(
    fc.property(foreign, foreign, (text, name) => {
      const lines: string[] = [];
      const action = {
        type: 'tool.failed',
        stream: 'run/a',
        at: 0,
        data: { tool: name, step: 1 },
        body: { failure: { message: text, code: name } },
      };
      const actions = new ActionLines(styles, (line) => lines.push(line));
      actions.take(action as never);
      actions.flush();
      const explained = showExplanation({
        ...{
          run: { id: '01ja', goal: text, status: 'completed', state: name },
          timeline: [{ state: name }],
          notes: [],
          cost: {},
        },
        actions: [
          {
            step: 1,
            state: 'act',
            decision: 'call_tool',
            tool: name,
            rationale: text,
            verdicts: [],
            failure: { message: text, code: name },
          },
        ],
      } as unknown as ExplainAnswer);
      const written: string[] = [];
      const terminal = new Terminal({ write: (part: string) => written.push(part), writable: true } as never);
      for (const line of [...lines, explained, table(['name'], [[name]]), styles.red(text), text])
        terminal.write(line);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
      expect(hasHidden(written.join('').replaceAll(/\u001b\[(?:31|39)m/g, ''))).toBe(false);
      // What is left of the red and default colours is Oka's own.
      expect(toTerminal(text)).not.toContain('\u001b');
      expect(JSON.parse(visibleJson(JSON.stringify({ [name]: text })))).toEqual(
        JSON.parse(JSON.stringify({ [name]: text })),
      );
      expect(hasHidden(visibleJson(JSON.stringify({ [name]: text })))).toBe(false);
    }),
    { numRuns: 100, endOnFailure: true },
  );
});

test('styles that Oka made stay, also within each other', () => {
  const { bold, red } = createColors(true);
  const { bold: plainBold, red: plainRed } = pc.createColors(true);
  expect(toTerminal(bold(`a ${red('b')} ${bold('c')} d`))).toBe(
    plainBold(`a ${plainRed('b')} ${plainBold('c')} d`),
  );
  expect(toTerminal(own('\u001b[?2004h'))).toBe('\u001b[?2004h');
  expect(toTerminal('\u001b[31mred')).toBe('\\u{1b}[31mred');
  expect(visible('👩\u200d🚀 a\u200db')).toBe('👩\u200d🚀 a\\u{200d}b');
});

test('no file of the command line writes to a stream but the one that escapes', () => {
  const root = import.meta.dirname;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.endsWith('.ts') &&
      !path.endsWith('.test.ts') &&
      !['terminal-text.ts', 'terminal/line-editor.ts'].includes(path),
  );
  const direct = /process\.(?:stdout|stderr)\.write|console\.(?:log|error|warn)|stream\.write/;
  expect(files.filter((path) => direct.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
