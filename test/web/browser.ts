// The web app as people see it: the built daemon on a workspace, in the browser of this machine.

import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeEach, expect, onTestFinished } from 'vitest';
import { Workspace, type WorkspaceOptions } from '../cli/oka-process.ts';
import { kill } from '../support/kill.ts';
import { checkLook } from './check-look.ts';
import { browserPath } from './find-browser.ts';

export { hasBrowser } from './find-browser.ts';

interface AppOptions extends Pick<WorkspaceOptions, 'files' | 'config'> {
  /** Called before the daemon starts. */
  readonly prepare?: (workspace: Workspace) => void | Promise<void>;
  /** Called once, before the first test. */
  readonly fill?: (app: App) => Promise<void>;
}

interface OpenOptions {
  /** Messages in the console that the test expects, such as those of a refused request. */
  readonly allow?: RegExp;
  readonly width?: number;
  /** Opens the page without a session. */
  readonly signedOut?: boolean;
  /** Opens the page in a context of its own, for tests that change cookies or the network. */
  readonly apart?: boolean;
}

/** A file may prepare thousands of runs. */
const MAX_START_MS = 180_000;

let launched: Promise<Browser> | undefined;
let signedIn: Promise<BrowserContext> | undefined;

/** The browser of this worker, which ends with it. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: browserPath as string,
    args: ['--no-sandbox', '--renderer-process-limit=1'],
  });
  return launched;
}

/** The context of all signed-in pages: one renderer, which compiles the app and axe once. A cookie is for one daemon only. */
function signedInContext(): Promise<BrowserContext> {
  signedIn ??= sharedBrowser().then(async (browser) => {
    const context = await browser.newContext();
    // Keeps the renderer between tests.
    await context.newPage();
    return context;
  });
  return signedIn;
}

/**
 * The app for all tests of a file. Call it in the body of a `describe`. Without options, the files of a worker share one
 * workspace: their tests must pass whatever else has run in it.
 */
export function useApp(options?: AppOptions): App {
  const app = options === undefined ? sharedApp : new App();
  beforeEach(() => app.start(options), MAX_START_MS);
  if (options !== undefined) afterAll(() => app.stop());
  return app;
}

export class App {
  #folder = '';
  #starting: Promise<void> | undefined;
  #workspace: Workspace | undefined;
  #pid: number | undefined;
  /** `http://127.0.0.1:<port>` */
  origin = '';

  get workspace(): Workspace {
    if (this.#workspace === undefined) throw new Error('The app has not been started.');
    return this.#workspace;
  }

  /** Starts the app unless it runs. */
  start(options: AppOptions = {}): Promise<void> {
    this.#starting ??= this.#start(options);
    return this.#starting;
  }

  async #start({ prepare, fill, ...options }: AppOptions): Promise<void> {
    // The run of the tests removes its user folder, also if this worker ends early.
    this.#folder = realpathSync(mkdtempSync(join(process.env['OKA_HOME'] ?? tmpdir(), 'web-')));
    mkdirSync(join(this.#folder, 'garden'));
    this.#workspace = Workspace.trusted({
      ...options,
      root: join(this.#folder, 'garden'),
      home: join(this.#folder, 'home'),
    });
    await prepare?.(this.#workspace);
    this.#pid = (await this.oka<{ pid: number }>('up')).pid;
    const { url } = await this.oka<{ url: string }>('web', '--no-open');
    this.origin = new URL(url).origin;
    await (await signedInContext()).request.get(url);
    await fill?.(this);
  }

  stop(): void {
    if (this.#pid !== undefined) kill(this.#pid);
  }

  /** The data of a command in the workspace. Throws if it fails. */
  async oka<T>(...args: readonly string[]): Promise<T> {
    const { exitCode, data } = await this.workspace.answer<T>(...args);
    if (exitCode !== 0) throw new Error(`oka ${args.join(' ')} exited with ${exitCode}`);
    return data;
  }

  /** A request with the session of the browser, such as to prepare what a page shows. */
  async request<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
    const headers = {
      origin: this.origin,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const response = await (await signedInContext()).request.fetch(`${this.origin}${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { data: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** A page in a tab of its own. The test fails on an error in it, and on a request to another host. */
  async open(path: string, options: OpenOptions = {}): Promise<Page> {
    const { allow, width = 1_280, signedOut = false, apart = signedOut } = options;
    const context = apart
      ? await (await sharedBrowser()).newContext(
          signedOut ? {} : { storageState: await (await signedInContext()).storageState() },
        )
      : await signedInContext();
    const page = await context.newPage();
    const faults = watch(page, this.origin, allow);
    onTestFinished(async () => {
      if (!apart) await page.evaluate('localStorage.clear()').catch(() => undefined);
      await (apart ? context : page).close();
      expect(faults).toEqual([]);
    });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${this.origin}${path}`);
    return page;
  }

  /** Accessibility and layout in both themes and both widths, with screenshots. */
  async check(page: Page, name: string): Promise<void> {
    await checkLook(page, name);
  }
}

const sharedApp = new App();
process.once('exit', () => sharedApp.stop());

/** Collects what must not happen in a page. */
function watch(page: Page, origin: string, allow: RegExp | undefined): readonly string[] {
  const faults: string[] = [];
  const note = (fault: string): void => {
    if (allow?.test(fault) !== true) faults.push(fault);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      note(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => note(`error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) note(`request to another host: ${request.url()}`);
  });
  return faults;
}
