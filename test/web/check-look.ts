import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDTHS = [1_280, 390];
/** The rules to check per theme: a theme changes colours only, so the dark one needs no other rule. */
const THEMES = {
  light: undefined,
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;
type Theme = keyof typeof THEMES;

/** Checks a page in both themes and widths. Leaves it as it was. Screenshots go to the folder in OKA_SCREENSHOTS. */
export async function checkLook(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  // What moves would be in another place in each picture.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const theme of Object.keys(THEMES) as Theme[]) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await screenshot(page, `${name}-${theme}-${width}`);
      expect(await findings(page, theme), `${name}, ${theme}, ${width} px`).toEqual([]);
      expect(await overflow(page), `${name} is wider than ${width} px`).toBeLessThanOrEqual(0);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before !== null) await page.setViewportSize(before);
}

async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['OKA_SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/**
 * What axe finds, without what is minor. The page's policy allows no script tag, so the script is evaluated. The result is
 * filtered in the page, because the whole of it is large.
 */
async function findings(page: Page, theme: Theme): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(`(() => { ${axe} })()`);
  const options = { runOnly: THEMES[theme], resultTypes: ['violations'], iframes: false };
  return page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html + ' – ' + node.failureSummary)))`);
}

async function overflow(page: Page): Promise<number> {
  return (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number;
}
