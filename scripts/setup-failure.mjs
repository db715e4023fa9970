// Turns what can go wrong during set-up into one sentence that says what happened and what to do next.

/** A set-up that cannot go on; the message is the whole of what the user is shown. */
export class SetupFailure extends Error {}

const again = 'then run the command again';

const causes = [
  {
    codes: [
      'ENOTFOUND',
      'EAI_AGAIN',
      'ECONNREFUSED',
      'ECONNRESET',
      'ETIMEDOUT',
      'ENETUNREACH',
      'ERR_SOCKET_TIMEOUT',
    ],
    say: (code) =>
      `The npm registry cannot be reached (${code}): check the network or the proxy settings, ${again}.`,
  },
  {
    codes: [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    say: (code) =>
      `The npm registry's certificate is not trusted (${code}): point NODE_EXTRA_CA_CERTS to your certificate authority, ${again}.`,
  },
  { codes: ['ENOSPC', 'EDQUOT'], say: (code) => `The disk is full (${code}): free some space, ${again}.` },
  {
    codes: ['EACCES', 'EPERM', 'EROFS'],
    say: (code) => `This folder cannot be written (${code}): make it writable for your user, ${again}.`,
  },
  {
    codes: ['EBADENGINE'],
    say: () =>
      `A locked package does not support Node ${process.versions.node}: use Node 20.19+, 22.13+ or 24+, ${again}.`,
  },
  {
    codes: ['EUSAGE'],
    say: () => 'package.json and package-lock.json disagree: run npm install, and commit the lockfile.',
  },
  {
    codes: ['EINTEGRITY'],
    say: () =>
      `A downloaded package differs from the lockfile (EINTEGRITY): run npm cache clean --force, ${again}.`,
  },
];

const knownCodes = causes.flatMap((cause) => cause.codes);

/** Whether npm keeps asking a registry that never answers: left alone, it takes minutes to give up. */
export function registryIsOut(output) {
  return (
    !/ fetch GET [23]\d\d /.test(output) && (output.match(/ attempt \d failed with /g)?.length ?? 0) >= 20
  );
}

/** Why `npm ci` failed. */
export function installFailure({ exitCode, stoppedBy, output }, log) {
  if (stoppedBy)
    return new SetupFailure(`Set-up was stopped (${stoppedBy}): run the command again to go on.`);
  const named = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1];
  const sentence =
    sentenceFor(named) ??
    sentenceFor(knownCodes.find((code) => new RegExp(`\\b${code}\\b`).test(output))) ??
    `Installing packages failed (npm ended with ${named ?? exitCode}): mend what the log names, ${again}.`;
  return new SetupFailure(`${sentence} Full log: ${log}`);
}

/** Why the build failed, with the first place that esbuild names. */
export function buildFailure({ stoppedBy, output }, log) {
  if (stoppedBy)
    return new SetupFailure(`Set-up was stopped (${stoppedBy}): run the command again to go on.`);
  const [, message, place] = /\[ERROR\] (.*)\s+(\S+:\d+:\d+):/.exec(output) ?? [];
  const what = message ? `${place}: ${message}` : 'see the log';
  return new SetupFailure(`The build failed (${what}): mend it, ${again}. Full log: ${log}`);
}

/** The failure behind an error of the operating system, or nothing when the error is a bug of ours. */
export function systemFailure(error) {
  if (error.code === 'ENOENT' && error.syscall?.startsWith('spawn'))
    return new SetupFailure(
      `npm was not found: install it (it comes with Node, https://nodejs.org), ${again}.`,
    );
  const sentence = sentenceFor(error.code);
  return sentence && new SetupFailure(sentence);
}

function sentenceFor(code) {
  return causes.find((cause) => cause.codes.includes(code))?.say(code);
}
