import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { type ModelReply, type StreamingModel, streamingModel } from '../cli/streaming-model.ts';
import { policyOf } from '../policy/good-policies.ts';
import { hasBrowser, useApp } from './browser.ts';

const SCRIPT = '<img src=x onerror="document.title=1"> <script>alert(1)</script>';
const LONG = 'const bed = '.padEnd(400, 'x');

/** Answers that the test ends. */
const held: ModelReply[] = [];

function reply(answer: ModelReply): void {
  const last = JSON.stringify(answer.asked.messages.at(-1));
  if (last.includes('slowly') || last.includes('forever')) {
    answer.say('The **beds** are');
    held.push(answer);
  } else if (answer.hears('write it') && !answer.hasResult) {
    answer.call('files.write', { path: 'plan.md', content: 'water\n' });
  } else {
    answer.say(answer.hasResult ? 'It is written.' : `Hello. ${SCRIPT}\n\n\`\`\`\n${LONG}\n\`\`\``);
    answer.end();
  }
}

describe.skipIf(!hasBrowser)('Chats', () => {
  let model: StreamingModel | undefined;
  const app = useApp({
    files: { 'plan.md': 'dig\n', 'POLICY.md': policyOf('| `files.write` | ask | the gardener decides |') },
    prepare: async (workspace) => {
      model = await streamingModel(reply);
      const price = { input: 0.25, output: 2 };
      const house = { provider: 'openai-compatible', model: 'gpt-5-mini', base_url: model.url, price };
      workspace.putAtHome('config.json', JSON.stringify({ models: { house } }));
    },
  });
  afterAll(() => model?.close());

  async function say(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: /^Message/ }).fill(text);
    await page.keyboard.press('Enter');
  }

  test('streams an answer, stores it with its cost, and shows markup as text', async () => {
    const page = await app.open('/chats');
    await say(page, 'tell me slowly how the garden is');
    const live = page.getByRole('article', { name: /anton writes/ });
    await live.getByText('beds', { exact: true }).waitFor();
    const answer = held.pop();
    answer?.say(` dry. ${SCRIPT}`);
    await live.getByText('onerror').waitFor();
    answer?.end();
    await page.getByText(/Steps · 1\.3k tokens · \$/).waitFor();
    await live.waitFor({ state: 'detached' });
    expect(await page.locator('article strong').textContent()).toBe('beds');
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.getByText('user → anton').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/chats\/anton-\d+$/);
    await page.getByRole('link', { name: 'user → anton' }).click();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('region', { name: 'Where the money went' }).getByText('$').first().waitFor();
  });

  test('Stop ends an answer, and the conversation continues', async () => {
    const page = await app.open('/chats');
    await say(page, 'talk forever');
    await page.getByRole('article', { name: /anton writes/ }).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('anton was cancelled').waitFor();
    await page.getByRole('article', { name: /anton writes/ }).waitFor({ state: 'detached' });
    await page.getByText('had written, not stored').waitFor();
    held.length = 0;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('article', { name: /anton writes/ }).waitFor();
    held.pop()?.end();
    await page.getByRole('article', { name: /anton writes/ }).waitFor({ state: 'detached' });
    await page.locator('article strong', { hasText: 'beds' }).last().waitFor();
    expect(await page.getByText('anton was cancelled').count()).toBe(0);
    await say(page, 'and now');
    await page.locator('article').getByText('Hello.').waitFor();
    await app.check(page, 'chat');
  });

  test('an agent answers once a paused conversation resumes, and @ completes its name', async () => {
    const page = await app.open('/chats');
    await page.getByRole('button', { name: 'New conversation…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('garden');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    const input = page.getByRole('textbox', { name: 'Message' });
    await input.fill('');
    await input.pressSequentially('hello @an');
    await page.getByRole('option', { name: '@anton' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await input.inputValue()).toBe('hello @anton ');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: /anton waits until the chat resumes/ }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('article').getByText('Hello.').waitFor();
    await say(page, 'nobody in particular');
    await page.getByText(/No agent was mentioned/).waitFor();
  });

  test('shows the request of a turn in the conversation and decides it there', async () => {
    const page = await app.open('/chats');
    await say(page, 'write it');
    const card = page.getByRole('article', { name: 'Request' });
    await card.getByText('+water').waitFor();
    await app.check(page, 'chat-approval');
    await card.getByRole('button', { name: /Approve once/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve once' }).click();
    await page.getByText('It is written.').waitFor();
    expect(app.workspace.text('plan.md')).toBe('water\n');
    await page.getByText(/^Steps/).click();
    await page.getByText(/wrote plan\.md/).waitFor();
  });

  test('loads older messages while scrolling up and keeps the scroll position', async () => {
    await app.request('POST', '/v1/chats', { name: 'long' });
    for (let i = 1; i <= 70; i++)
      await app.request('POST', '/v1/chats/long/messages', { text: `note ${i}\nsecond line` });
    const page = await app.open('/chats/long');
    const frame = page.getByRole('region', { name: 'Messages' });
    await frame.getByText('note 70').waitFor();
    expect(await page.locator('.message').count()).toBe(50);
    let release: () => void = () => undefined;
    const measured = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/messages?*before=*', async (route) => {
      await measured;
      await route.continue();
    });
    await frame.evaluate((element) =>
      (element as unknown as { scrollTo(x: number, y: number): void }).scrollTo(0, 100),
    );
    const note = frame.getByText('note 25');
    const before = await note.boundingBox();
    release();
    await page.locator('.message').nth(69).waitFor({ state: 'attached' });
    const after = await note.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(40);
    await frame.getByText('note 1', { exact: false }).first().waitFor({ state: 'attached' });
    await app.request('POST', '/v1/chats/long/messages', { text: 'one more' });
    await page.getByRole('button', { name: /1 new message/ }).click();
    await page.getByText('one more').waitFor();
  });

  test('says that no model is configured', async () => {
    const page = await app.open('/chats');
    await page.route('**/v1/agents/anton', async (route) => {
      const response = await route.fetch();
      const { answeredBy: _, ...rest } = (await response.json()) as { answeredBy?: string };
      await route.fulfill({ response, json: rest });
    });
    await page.reload();
    await page.getByText('No model is configured.').waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).last().getAttribute('href')).toBe('/settings');
    await app.check(page, 'chats');
  });
});
