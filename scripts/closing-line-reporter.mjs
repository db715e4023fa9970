/** `N passed, N failed`; on the line before it how many were skipped, if any were. */
export function closingLine({ passed, failed, skipped }) {
  return `${skipped > 0 ? `${skipped} skipped\n` : ''}${passed} passed, ${failed} failed`;
}

/**
 * Vitest reporter that counts the results. It hands them to the process that started vitest, which prints the line
 * after everything else; on its own it prints the line itself. What failed outside of a test (a file that does not
 * load, a hook, an unhandled error) counts as a failure of its own.
 */
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      for (const suite of [module, ...module.children.allSuites()]) counts.failed += suite.errors().length;
    }
    if (process.send) process.send({ okaTestCounts: counts });
    else process.stdout.write(`${closingLine(counts)}\n`);
  }
}
