// Loaded by every Node that knows modules: no syntax newer than Node 12 here, the rest is imported after the check.

/** The sentence that tells why this Node cannot run Oka, or nothing when it can. */
function nodeVersionProblem(version) {
  const [major, minor] = version.replace('v', '').split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return `Oka needs Node 20.19 or newer and this is ${version}: install a current Node (https://nodejs.org) and run the command again.`;
}

/** Brings the checkout up to date, then calls `next`. A set-up that fails is one sentence and exit code 1. */
export function afterSetup(next) {
  const problem = nodeVersionProblem(process.version);
  if (problem) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
    return;
  }
  import('./set-up-checkout.mjs')
    .then((module) => module.setUpOrExplain())
    .then((ready) => (ready ? next() : undefined));
}
