import type { CheckedAcceptance, Divergence } from './compare-case.ts';

/** The part of a result that a JUnit report shows. */
export interface JUnitCase {
  readonly name: string;
  readonly passed: boolean;
  readonly divergences: readonly Divergence[];
  readonly acceptance: readonly CheckedAcceptance[];
  /** Why the case could not be run. */
  readonly error?: string;
  /** Why the case was not run. */
  readonly skipped?: string;
}

/** A report in the form that CI servers read. */
export function toJUnit(cases: readonly JUnitCase[]): string {
  const failed = cases.filter(
    ({ passed, error, skipped }) => !passed && error === undefined && skipped === undefined,
  ).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  const counts = `tests="${cases.length}" failures="${failed}" errors="${errors}"${skipped === 0 ? '' : ` skipped="${skipped}"`}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="oka eval" ${counts}>`,
    ...cases.flatMap(caseLines),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseLines(one: JUnitCase): readonly string[] {
  const open = `    <testcase classname="oka.eval" name="${escapeXml(one.name)}"`;
  const unchecked = one.acceptance.flatMap(({ criterion, holds, why }) =>
    holds === null ? [`${criterion}: ${why ?? 'not checked'}`] : [],
  );
  const output =
    unchecked.length === 0 ? [] : [`      <system-out>${escapeXml(unchecked.join('\n'))}</system-out>`];
  if (one.passed) return output.length === 0 ? [`${open}/>`] : [`${open}>`, ...output, '    </testcase>'];
  if (one.skipped !== undefined)
    return [`${open}>`, `      <skipped message="${escapeXml(one.skipped)}"/>`, '    </testcase>'];
  if (one.error !== undefined)
    return [`${open}>`, `      <error message="${escapeXml(one.error)}"/>`, '    </testcase>'];
  const lines = failureLines(one);
  return [
    `${open}>`,
    `      <failure message="${escapeXml(lines[0] ?? 'failed')}">${escapeXml(lines.join('\n'))}</failure>`,
    ...output,
    '    </testcase>',
  ];
}

/** What is wrong with a case, in lines. */
function failureLines({ divergences, acceptance }: Omit<JUnitCase, 'name' | 'passed'>): readonly string[] {
  return [
    ...divergences.flatMap(({ kind, step, state, diff, repeated }) => {
      const place = kind === 'missing' ? kind : `${kind} at step ${step} (${state})`;
      const more = repeated === 0 ? '' : `, and at ${repeated} later steps`;
      return [`${place}${more}:`, ...diff.map((line) => `  ${line}`)];
    }),
    ...acceptance.flatMap(({ criterion, holds, why }) =>
      holds === false ? [`not met: ${criterion}${why === undefined ? '' : ` (${why})`}`] : [],
    ),
  ];
}

/** Escapes a text for XML, and drops the characters that XML cannot contain. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no control characters but these three.
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
