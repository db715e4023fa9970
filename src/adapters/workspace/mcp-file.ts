import { lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileVersion, readJsonFile, replaceFile } from '../../disk/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { McpErrorCode, SandboxAccess, ServerLaunch } from '../../tools/index.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_NAME_LENGTH = 100;
const NEW_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/;
const HTTP_TYPES = ['http', 'streamable-http', 'streamableHttp'];

/** A declared server. Without a launch it cannot be used, and `problem` says why. */
export interface DeclaredServer {
  readonly name: string;
  readonly launch?: ServerLaunch;
  readonly problem?: string;
  readonly off: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** A file of MCP servers in the format of other clients. Changes preserve everything else in it. */
export class McpFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  servers(): readonly DeclaredServer[] {
    return Object.entries(this.#entries()).map(([name, entry]) => readServer(name, entry));
  }

  /** Adds a server; rejects an existing name. */
  add(name: string, launch: ServerLaunch): void {
    if (!NEW_NAME.test(name))
      throw new OkaError<McpErrorCode>(
        'mcp.invalid_server',
        `"${name}" is not a valid server name: use at most 60 letters, digits, - and _.`,
        { data: { server: name } },
      );
    const entry = toEntry(launch);
    const { problem } = readServer(name, entry);
    if (problem !== undefined)
      throw new OkaError<McpErrorCode>('mcp.invalid_server', `The MCP server "${name}" ${problem}.`, {
        data: { server: name },
      });
    const entries = this.#entries();
    if (Object.hasOwn(entries, name))
      throw new OkaError<McpErrorCode>(
        'mcp.exists',
        `${this.path} already has a server "${name}". Remove it first with: oka mcp remove ${name}.`,
        { data: { server: name, file: this.path } },
      );
    this.#write({ ...entries, [name]: entry });
  }

  /** Tells whether the file has changed. */
  get version(): string {
    return fileVersion(this.path);
  }

  /** True if it existed. */
  remove(name: string): boolean {
    const entries = this.#entries();
    if (!Object.hasOwn(entries, name)) return false;
    this.#write(Object.fromEntries(Object.entries(entries).filter(([other]) => other !== name)));
    return true;
  }

  #read(): Fields {
    const file = readJsonFile(this.path, { maxBytes: MAX_BYTES, root: dirname(this.path) }) ?? {};
    if (!isFields(file)) throw this.#invalid('does not contain a JSON object');
    return file;
  }

  #entries(): Fields {
    const entries = this.#read()['mcpServers'] ?? {};
    if (!isFields(entries)) throw this.#invalid('has "mcpServers" that is not an object of servers by name');
    return entries;
  }

  /** Replaces the file atomically. */
  #write(entries: Fields): void {
    const text = `${JSON.stringify({ ...this.#read(), mcpServers: entries }, null, 2)}\n`;
    const mode = (lstatSync(this.path, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    replaceFile(this.path, text, { mode });
  }

  #invalid(problem: string): OkaError {
    return new OkaError('config.invalid', `${this.path} ${problem}. Fix it and try again.`, {
      data: { file: this.path },
    });
  }
}

function readServer(name: string, entry: unknown): DeclaredServer {
  if (!isFields(entry)) return { name, off: false, problem: 'is not an object' };
  const off = entry['disabled'] === true;
  const read = readLaunch(name, entry);
  return typeof read === 'string' ? { name, off, problem: read } : { name, off, launch: read };
}

/** The launch, or what is wrong with it. */
function readLaunch(name: string, entry: Fields): ServerLaunch | string {
  if (name === '' || name.length > MAX_NAME_LENGTH || !name.isWellFormed())
    return `has a name that is empty or longer than ${MAX_NAME_LENGTH} characters`;
  const { type, command, args = [], env = {}, url, headers = {}, sandbox } = entry;
  const isHttp = type === undefined ? url !== undefined : HTTP_TYPES.includes(String(type));
  if (isHttp) {
    if (typeof url !== 'string' || !/^(https?:\/\/|\$\{)/i.test(url))
      return 'needs "url", an address that starts with http:// or https://';
    if (!isTexts(headers)) return 'has "headers" that are not texts by name';
    return { transport: 'http', url, headers };
  }
  if (type !== undefined && type !== 'stdio')
    return `has the type ${JSON.stringify(type)}; Oka supports "stdio" and "http"`;
  if (typeof command !== 'string' || command === '') return 'needs "command", the program to start, or "url"';
  if (!Array.isArray(args) || !args.every((one) => typeof one === 'string'))
    return 'has "args" that are not a list of texts';
  if (!isTexts(env)) return 'has "env" that is not an object of texts by name';
  if (sandbox !== undefined && sandbox !== 'off' && !isAccess(sandbox))
    return 'has "sandbox" that is not {"read": […], "write": […], "network": true, false or {"hosts": […]}}';
  const access = sandbox === undefined ? {} : { sandbox: sandbox as SandboxAccess | 'off' };
  return { transport: 'stdio', command, args: args as readonly string[], environment: env, ...access };
}

function isAccess(value: unknown): value is SandboxAccess {
  if (!isFields(value)) return false;
  const { read = [], write = [], network = false, ...others } = value;
  const isList = (list: unknown): boolean =>
    Array.isArray(list) && list.every((one) => typeof one === 'string' && one !== '');
  const hosts = isFields(network) && Object.keys(network).length === 1 ? network['hosts'] : undefined;
  return (
    Object.keys(others).length === 0 &&
    isList(read) &&
    isList(write) &&
    (typeof network === 'boolean' || (isList(hosts) && (hosts as readonly unknown[]).length > 0))
  );
}

function toEntry(launch: ServerLaunch): Fields {
  if (launch.transport === 'http') {
    const { url, headers } = launch;
    return { type: 'http', url, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
  }
  const { command, args, environment, sandbox } = launch;
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(environment).length === 0 ? {} : { env: environment }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    isFields(value) && Object.values(value).every((text) => typeof text === 'string' && text.isWellFormed())
  );
}
