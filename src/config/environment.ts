import { join } from 'node:path';
import { NO_HOME, userHome } from '../disk/index.ts';
import { OkaError } from '../kernel/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process, for the few places that pass variables on. */
export function machineEnvironment(): Environment {
  return process.env;
}

/** The user's folder: `OKA_HOME`, else in the standard configuration folder. */
export function okaHome(environment: Environment = process.env): string {
  if (environment['OKA_HOME']) return environment['OKA_HOME'];
  const home = userHome();
  const folder = environment['XDG_CONFIG_HOME'] || join(home, '.config');
  if (home !== NO_HOME || environment['XDG_CONFIG_HOME']) return join(folder, 'oka');
  throw new OkaError(
    'config.invalid',
    'This user has no home folder. Set OKA_HOME to a folder of your own.',
    {
      data: { setting: 'OKA_HOME' },
    },
  );
}

/** The vault passphrase from the environment. */
export function vaultPassphrase(environment: Environment = process.env): string | undefined {
  return environment['OKA_VAULT_PASSPHRASE'] || undefined;
}

/** An address and a port to listen on. */
interface ListenAddress {
  readonly address: string;
  readonly port: number;
}

const LISTEN = /^(?:\[([\da-f:]+)\]|(\d+\.\d+\.\d+\.\d+)):(\d+)$/i;

/** Where the web server listens instead of 127.0.0.1: in a container whose host publishes the port. */
export function webListen(environment: Environment = process.env): ListenAddress | undefined {
  const given = environment['OKA_WEB_LISTEN'];
  if (!given) return undefined;
  const [, ipv6, ipv4, digits] = LISTEN.exec(given) ?? [];
  const address = ipv6 ?? ipv4 ?? '';
  const port = Number(digits);
  // A number above 255, a bad IPv6 address or a port above 65535 is no URL.
  if (port >= 1 && URL.canParse(`http://${given}`)) return { address, port };
  throw new OkaError(
    'config.invalid',
    `Invalid OKA_WEB_LISTEN “${given}”: expected address:port, e.g. 0.0.0.0:4321`,
    { data: { setting: 'OKA_WEB_LISTEN' } },
  );
}

/** Settings of the execution that the environment overrides. */
export function executionEnvironment(environment: Environment = process.env): {
  readonly backend?: 'local' | 'restate';
  readonly ingress?: string;
  readonly admin?: string;
} {
  const {
    OKA_EXECUTION_BACKEND: backend,
    OKA_RESTATE_INGRESS: ingress,
    OKA_RESTATE_ADMIN: admin,
  } = environment;
  return {
    ...(backend === 'local' || backend === 'restate' ? { backend } : {}),
    ...(ingress ? { ingress } : {}),
    ...(admin ? { admin } : {}),
  };
}

/** The token of a project on the cluster, from a variable of its own or from the common one. */
export function projectToken(project: string, environment: Environment = process.env): string | undefined {
  const own = `OKA_PROJECT_TOKEN_${project.toUpperCase().replaceAll('-', '_')}`;
  return environment[own] || environment['OKA_PROJECT_TOKEN'] || undefined;
}

/** Whether every answer is compared with its schema, as tests want it. */
export function answersAreChecked(): boolean {
  return process.env['OKA_CHECK_ANSWERS'] === '1';
}

/** Whether a terminal can redraw lines and a person watches it. */
export function terminalIsWatched(env: NodeJS.ProcessEnv = process.env): boolean {
  const { TERM, CI } = env;
  return TERM !== 'dumb' && (CI === undefined || CI === '' || CI === 'false');
}

/** Whether a browser can show a page on this machine. */
export function hasDisplay(environment: Environment = process.env, platform = process.platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
}

/** Addresses and keys of model providers from the environment. */
export interface ProviderEnvironment {
  readonly openaiKey?: string;
  readonly openaiBaseUrl?: string;
  readonly anthropicKey?: string;
  readonly anthropicBaseUrl?: string;
  readonly ollamaHost?: string;
  /** Any other variable, for keys that a configuration names. Variables with Oka's own secrets are not readable. */
  get(name: string): string | undefined;
}

const VARIABLES = {
  openaiKey: 'OPENAI_API_KEY',
  openaiBaseUrl: 'OPENAI_BASE_URL',
  anthropicKey: 'ANTHROPIC_API_KEY',
  anthropicBaseUrl: 'ANTHROPIC_BASE_URL',
  ollamaHost: 'OLLAMA_HOST',
} as const;

/** A worker has the tokens of several projects, and each project names variables in its configuration. */
const OWN_SECRET = /^OKA_(PROJECT_TOKEN.*|LEDGER_URL|VAULT_PASSPHRASE)$/i;

/** Reads the standard variables of model providers; an empty one counts as unset. */
export function providerEnvironment(environment: Environment = process.env): ProviderEnvironment {
  const get = (name: string): string | undefined =>
    OWN_SECRET.test(name) ? undefined : environment[name]?.trim() || undefined;
  const found: { -readonly [Field in keyof typeof VARIABLES]?: string } = {};
  for (const field of Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]) {
    const value = get(VARIABLES[field]);
    if (value !== undefined) found[field] = value;
  }
  return { ...found, get };
}
