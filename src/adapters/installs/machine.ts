import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { OkaError } from '../../kernel/index.ts';
import type { EnvironmentErrorCode } from '../../tools/index.ts';
import { type CommandEnd, type CommandLimits, runCommand } from './run-command.ts';

/** Environment variables that installers inherit: network settings only. */
const INHERITED = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'PIP_CERT',
];

/** The machine's programs for installers: found outside the workspace, run in a clean environment. */
export class Machine {
  readonly path: readonly string[];
  readonly #inherited: Readonly<Record<string, string>>;

  constructor(workspace: string, environment: Readonly<Record<string, string | undefined>>) {
    this.path = (environment['PATH'] ?? '')
      .split(delimiter)
      .filter((folder) => isAbsolute(folder) && !isWithin(folder, workspace));
    this.#inherited = Object.fromEntries(
      INHERITED.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
    );
  }

  /** Every program of that name on the PATH, in order. */
  programs(name: string): readonly string[] {
    return this.path.map((folder) => join(folder, name)).filter(isProgram);
  }

  run(
    argv: readonly [string, ...string[]],
    place: {
      readonly cwd: string;
      readonly home: string;
      readonly environment?: Readonly<Record<string, string>>;
    },
    limits: CommandLimits,
  ): Promise<CommandEnd> {
    const environment = {
      PATH: this.path.join(delimiter),
      HOME: place.home,
      TMPDIR: place.cwd,
      LANG: 'C.UTF-8',
      ...this.#inherited,
      ...place.environment,
    };
    return runCommand({ argv, cwd: place.cwd, environment }, limits);
  }
}

/** Fails unless the command succeeded; the error contains its last output. */
export function requireSuccess(
  end: CommandEnd,
  what: string,
  data: Readonly<Record<string, string>>,
): CommandEnd {
  if (end.exitCode === 0) return end;
  if (end.timedOut) {
    throw new OkaError<EnvironmentErrorCode>(
      'environment.install_timed_out',
      `${what} timed out; nothing was changed. Try again with a better network.`,
      { data, transient: true },
    );
  }
  const said = lastLines(end.stderr.trim() || end.stdout);
  if (OTHER_HASH.test(said)) {
    throw new OkaError<EnvironmentErrorCode>(
      'environment.unverified',
      `${what} received content that does not match its hash and discarded it: ${said} Do not use that registry until this is explained.`,
      { data },
    );
  }
  if (NOT_FOUND.test(said)) {
    throw new OkaError<EnvironmentErrorCode>(
      'environment.package_not_found',
      `${what} failed: no such package, or no prebuilt version for this machine: ${said} Check the name and the version.`,
      { data },
    );
  }
  throw new OkaError<EnvironmentErrorCode>(
    'environment.install_failed',
    `${what} failed; nothing was changed. Output: ${said} Fix that and try again.`,
    { data, transient: true },
  );
}

const OTHER_HASH = /\bEINTEGRITY\b|DO NOT MATCH THE HASHES/;
const NOT_FOUND = /\bE404\b|\bETARGET\b|No matching distribution found|\bENOVERSIONS\b/;

function lastLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).slice(-12).join('\n').slice(-1_500);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || (!inside.startsWith('..') && !isAbsolute(inside));
}
