// The web app as people see it: the built daemon on a workspace of the test file's, in the browser of this machine.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { Workspace, type WorkspaceOptions } from '../cli/oka-process.ts';
import { kill } from '../support/kill.ts';
import { checkLook } from './check-look.ts';
import { browserPath } from './find-browser.ts';

export { hasBrowser } from './find-browser.ts';

const run = promisify(execFile);

interface AppOptions extends Pick<WorkspaceOptions, 'files' | 'config'> {
  /** Called before the daemon starts. */
  readonly prepare?: (workspace: Workspace) => void | Promise<void>;
}

interface OpenOptions {
  /** Messages in the console that the test expects, such as those of a refused request. */
  readonly allow?: RegExp;
  readonly width?: number;
  /** Opens the page without a session. */
  readonly signedOut?: boolean;
}

/** One daemon and one browser for all tests of a file. Call it in the body of a `describe`. */
export function useApp(options: AppOptions = {}): App {
  const app = new App();
  beforeAll(() => app.start(options));
  afterAll(() => app.stop());
  return app;
}

export class App {
  #folder = '';
  #workspace: Workspace | undefined;
  #browser: Browser | undefined;
  #signedIn: BrowserContext | undefined;
  #pid: number | undefined;
  /** `http://127.0.0.1:<port>` */
  origin = '';

  get workspace(): Workspace {
    if (this.#workspace === undefined) throw new Error('The app has not been started.');
    return this.#workspace;
  }

  async start({ prepare, ...options }: AppOptions): Promise<void> {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), 'oka-web-')));
    mkdirSync(join(this.#folder, 'garden'));
    this.#workspace = Workspace.trusted({
      ...options,
      root: join(this.#folder, 'garden'),
      home: join(this.#folder, 'home'),
    });
    await prepare?.(this.#workspace);
    this.#pid = (await this.oka<{ pid: number }>('up')).pid;
    this.#browser = await chromium.launch({ executablePath: browserPath as string, args: ['--no-sandbox'] });
    this.#signedIn = await this.#browser.newContext();
    const { url } = await this.oka<{ url: string }>('web', '--no-open');
    this.origin = new URL(url).origin;
    await (await this.#signedIn.newPage()).goto(url);
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    if (this.#pid !== undefined) kill(this.#pid);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The data of a command in the workspace. */
  async oka<T>(...args: readonly string[]): Promise<T> {
    const { root, command, environment } = this.workspace;
    const [program, ...first] = command;
    const options = { cwd: root, env: environment };
    const { stdout } = await run(program as string, [...first, ...args, '--json'], options);
    return (JSON.parse(stdout) as { data: T }).data;
  }

  /** A request with the session of the browser, such as to prepare what a page shows. */
  async request<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
    const headers = {
      origin: this.origin,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const response = await this.#signedInContext.request.fetch(`${this.origin}${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { data: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** A page in a window of its own. The test fails on an error in it, and on a request to another host. */
  async open(path: string, { allow, width = 1_280, signedOut = false }: OpenOptions = {}): Promise<Page> {
    const context = await (this.#browser as Browser).newContext({
      viewport: { width, height: 800 },
      ...(!signedOut && { storageState: await this.#signedInContext.storageState() }),
    });
    const faults = watch(context, this.origin, allow);
    onTestFinished(async () => {
      await context.close();
      expect(faults).toEqual([]);
    });
    const page = await context.newPage();
    await page.goto(`${this.origin}${path}`);
    return page;
  }

  /** Accessibility and layout in both themes and both widths, with screenshots. */
  async check(page: Page, name: string): Promise<void> {
    await checkLook(page, name);
  }

  get #signedInContext(): BrowserContext {
    if (this.#signedIn === undefined) throw new Error('The app has not been started.');
    return this.#signedIn;
  }
}

/** Collects what must not happen in a page. */
function watch(context: BrowserContext, origin: string, allow: RegExp | undefined): readonly string[] {
  const faults: string[] = [];
  const note = (fault: string): void => {
    if (allow?.test(fault) !== true) faults.push(fault);
  };
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      note(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => note(`error: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) note(`request to another host: ${request.url()}`);
  });
  return faults;
}
