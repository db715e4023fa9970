import { hasDisplay } from '../config/index.ts';

/** The programs that open an address in the browser of the user. */
const PROGRAMS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Unlike `start`, it takes an address with "&" as it is.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the browser of the user. False without a display or a program that opens it. */
export async function openInBrowser(url: string): Promise<boolean> {
  if (!hasDisplay()) return false;
  const { spawn } = await import('node:child_process');
  const [program, ...args] = PROGRAMS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
