// The web app in the browser of this machine: from the click on a link to a page that takes a goal. Called with a workload, an
// empty folder, the path of the command and how often to open the page.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { median } from '../report.mjs';
import { findBrowser } from './find-browser.mjs';
import { answer } from './workload.mjs';

const APP = fileURLToPath(new URL('../../dist/web', import.meta.url));

async function open(folder, command, times) {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('Error: there is no chromium on the PATH');
  const [workspace, home] = [join(folder, 'garden'), join(folder, 'home')];
  for (const made of [workspace, home]) mkdirSync(made, { recursive: true });
  const env = { ...process.env, HOME: home };
  const oka = (...words) => {
    const said = execFileSync(process.execPath, [command, ...words, '--json'], { cwd: workspace, env });
    return JSON.parse(said).data;
  };
  oka('init', '--trust');
  oka('up');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const taken = [];
  // The first turn only brings the files into memory. Each has an empty cache.
  for (let turn = 0; turn <= Number(times); turn++) {
    const { url } = oka('web', '--no-open');
    const page = await (await browser.newContext()).newPage();
    const from = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(focusGoal, undefined, { polling: 'raf' });
    if (turn > 0) taken.push(performance.now() - from);
    await page.context().close();
  }
  await browser.close();
  oka('down');
  return median(taken);
}

/** Asked in each frame: a locator of Playwright looks again only after 20, 50, 100, 100 and then 500 ms. */
function focusGoal() {
  const goal = document.querySelector('[aria-label="Goal"]');
  goal?.focus();
  return goal !== null && document.activeElement === goal;
}

/** The compressed scripts that the first page loads before it is shown. */
function firstScripts() {
  const manifest = JSON.parse(readFileSync(join(APP, 'manifest.json'), 'utf8'));
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const next of manifest[key]?.imports ?? []) visit(next);
  };
  visit('index.html');
  visit('src/pages/home/home-page.tsx');
  return [...seen].reduce((sum, key) => sum + compressed(manifest[key].file), 0);
}

const compressed = (file) => gzipSync(readFileSync(join(APP, file))).length;
const styles = () =>
  readdirSync(join(APP, 'assets'))
    .filter((name) => name.endsWith('.css'))
    .reduce((sum, name) => sum + compressed(`assets/${name}`), 0);

const [workload, folder, ...rest] = process.argv.slice(2);
if (workload === 'open') answer({ interactiveMs: await open(folder, ...rest) });
else answer({ scriptKb: firstScripts() / 1_024, styleKb: styles() / 1_024 });
process.exit(0);
