import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { policyOf } from '../policy/good-policies.ts';
import { hasBrowser, useApp } from './browser.ts';

interface Started {
  readonly run: { readonly id: string };
}
interface Approval {
  readonly id: string;
  readonly status: string;
  readonly arguments: unknown;
  readonly requestedArguments?: unknown;
  readonly reason?: string;
  readonly answer?: string;
  readonly decidedBy?: string;
}

const start = { node_id: 's', type: 'start', next: 'a' };
const end = { node_id: 'end', type: 'end' };
const graph = (id: string, ask: object): string =>
  JSON.stringify({
    ...{ id, name: id, version: 1, start: 's', execution_defaults: { guarantee_mode: 'bounded' } },
    nodes: [start, { node_id: 'a', type: 'approval', next: 'end', ...ask }, end],
  });

describe.skipIf(!hasBrowser)('Approvals', () => {
  const app = useApp({
    files: {
      'notes.md': 'one\n',
      'POLICY.md': policyOf('| process.run and argv[0] is printf | ask | we look at each |'),
      '.oka/graphs/choose.json': graph('choose', { question: 'Go on?', options: ['yes', 'no'] }),
      '.oka/graphs/tell.json': graph('tell', {
        question: 'Which bed? <img src=x onerror="document.title=1">',
      }),
    },
  });

  /** The id of the request of a run, once it waits for a person. */
  async function asked({ run }: Started): Promise<string> {
    const path = `/v1/approvals?status=pending&run=${run.id}`;
    const find = async (): Promise<string> => {
      const [found] = (await app.request<{ items: Approval[] }>('GET', path)).items;
      if (found === undefined) throw new Error(`Run ${run.id} asks nothing.`);
      return found.id;
    };
    return vi.waitFor(find, { timeout: 30_000 });
  }
  const callOf = async (...argv: readonly string[]): Promise<string> =>
    asked(await app.request('POST', '/v1/tools/process.run/call', { input: { argv } }));
  const show = (id: string): Promise<Approval> => app.request('GET', `/v1/approvals/${id}`);
  const card = (page: Page) => page.getByRole('article', { name: 'Request' });

  test('shows what is wrong with edited arguments, and approves correct ones', async () => {
    const id = await callOf('printf', 'wet');
    const page = await app.open(`/approvals?selected=${id}`, { allow: /Failed to load resource/ });
    await card(page).getByText('printf wet').first().waitFor();
    await app.check(page, 'approvals');
    await page.keyboard.press('e');
    const editor = page.getByRole('textbox', { name: /Arguments of process\.run/ });
    await editor.fill('{ "argv": ');
    await page.getByText(/This is not valid JSON/).waitFor();
    expect(await page.getByRole('button', { name: /Approve with these/ }).isDisabled()).toBe(true);
    await editor.fill('{ "argv": 7 }');
    await page.getByRole('button', { name: /Approve with these/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve once' }).click();
    await card(page).getByRole('alert').getByText(/argv/).waitFor();
    await editor.fill('{ "argv": ["printf", "dry"] }');
    await page.getByRole('button', { name: /Approve with these/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve once' }).click();
    await card(page).getByText('Approved', { exact: true }).waitFor();
    expect(await show(id)).toMatchObject({
      status: 'approved',
      arguments: { argv: ['printf', 'dry'] },
      requestedArguments: { argv: ['printf', 'wet'] },
    });
  });

  test('denies with a reason by keyboard, and one key alone approves nothing', async () => {
    const id = await callOf('printf', 'rain');
    const page = await app.open(`/approvals/${id}`);
    await card(page).getByText('printf rain').first().waitFor();
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByText('Approve once?').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('d');
    await page.getByRole('textbox', { name: 'Reason' }).fill('too wet already');
    await page.keyboard.press('Enter');
    await card(page).getByText('Denied', { exact: true }).waitFor();
    await card(page).getByText('too wet already').waitFor();
    expect(await show(id)).toMatchObject({ status: 'denied', reason: 'too wet already' });
    await page.goto(`${app.origin}/approvals?tab=history`);
    await page.getByRole('link', { name: /printf rain · too wet already/ }).waitFor();
  });

  test('lists a remembered approval as a grant, and does not ask again for the same call', async () => {
    const id = await callOf('printf', 'daily');
    const page = await app.open(`/approvals/${id}`);
    await card(page).getByRole('button', { name: 'Approve and remember…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('For 30 days').waitFor();
    await dialog.getByRole('button', { name: 'Approve and remember' }).click();
    await card(page).getByText('Approved', { exact: true }).waitFor();
    const { grants } = await app.oka<{ grants: { tool: string; arguments: unknown }[] }>('grants', 'list');
    expect(grants).toMatchObject([{ tool: 'process.run' }]);
    const again = await app.oka<Started & { run: { status: string } }>(
      ...['tools', 'call', 'process.run', JSON.stringify({ argv: ['printf', 'daily'] })],
    );
    expect(again.run.status).toBe('completed');
  });

  test('answers one question with an option and another with text, and shows markup as text', async () => {
    const choose = await asked(await app.request('POST', '/v1/graphs/choose/run', {}));
    const page = await app.open(`/approvals/${choose}`);
    await card(page).getByText('Go on?').waitFor();
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Send answer' }).isDisabled()).toBe(true);
    await page.getByRole('radio', { name: 'yes' }).check();
    await page.getByRole('button', { name: 'Send answer' }).click();
    await card(page).getByText('“yes”').waitFor();
    const tell = await asked(await app.request('POST', '/v1/graphs/tell/run', {}));
    await page.goto(`${app.origin}/approvals/${tell}`);
    await card(page).getByText('onerror').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.keyboard.press('a');
    await page.keyboard.type('the <b>first</b> one');
    await app.check(page, 'approvals-question');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await card(page).getByText('“the <b>first</b> one”').waitFor();
    expect(await show(tell)).toMatchObject({ status: 'answered', answer: 'the <b>first</b> one' });
  });

  test('shows a decision that another page made first', async () => {
    const id = await callOf('printf', 'twice');
    const [first, second] = await Promise.all([
      app.open(`/approvals/${id}`),
      app.open(`/approvals/${id}`, { allow: /Failed to load resource/ }),
    ]);
    await card(second).getByText('printf twice').first().waitFor();
    // The second page learns nothing of the decision until it decides itself.
    const old = await show(id);
    let hasDecided = false;
    second.on('request', (request) => {
      hasDecided ||= request.method() === 'POST';
    });
    await second.route(`**/v1/approvals/${id}`, (route) =>
      hasDecided ? route.continue() : route.fulfill({ json: old }),
    );
    await card(first).getByRole('button', { name: /Deny/ }).click();
    await first.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
    await card(first).getByText('Denied', { exact: true }).waitFor();
    await card(second)
      .getByRole('button', { name: /Approve once/ })
      .click();
    await second.getByRole('dialog').getByRole('button', { name: 'Approve once' }).click();
    await card(second)
      .getByText(/already denied/)
      .waitFor();
    await card(second).getByText('Denied', { exact: true }).waitFor();
    expect(await show(id)).toMatchObject({ status: 'denied' });
  });

  test('adds new requests to the inbox, and j and k move without a decision', async () => {
    const first = await callOf('printf', 'first');
    const page = await app.open(`/approvals?selected=${first}`);
    await card(page).getByText('printf first').first().waitFor();
    const second = await callOf('printf', 'second');
    await page.getByRole('link', { name: /run printf second/ }).waitFor();
    // A request that arrives does not replace the one that is read.
    expect(new URL(page.url()).searchParams.get('selected')).toBe(first);
    await page.keyboard.press('k');
    await card(page).getByText('printf second').first().waitFor();
    expect(new URL(page.url()).searchParams.get('selected')).toBe(second);
    await page.keyboard.press('j');
    await card(page).getByText('printf first').first().waitFor();
    expect(await show(first)).toMatchObject({ status: 'pending' });
  });

  test('says for an unknown outcome what each answer does', async () => {
    const id = await callOf('printf', 'interrupted');
    const page = await app.open('/');
    await page.route(`**/v1/approvals/${id}`, async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as object;
      const answers = { done: 'records that the call was made', retry: 'makes the call again' };
      const asked = { kind: 'unknown_effect', effect: 'send the mail', known: ['It started at 9.'], answers };
      await route.fulfill({ response, json: { ...json, ...asked, options: Object.keys(answers) } });
    });
    await page.goto(`${app.origin}/approvals/${id}`);
    await card(page).getByText('The outcome of a call is unknown').waitFor();
    await card(page).getByText('makes the call again').waitFor();
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Approve/ }).count()).toBe(0);
  });

  test('rejects an approval if the arguments differ from the ones shown', async () => {
    const id = await callOf('printf', 'changed');
    const page = await app.open('/', { allow: /Failed to load resource/ });
    const old = async (route: import('playwright-core').Route): Promise<void> => {
      const response = await route.fetch();
      const json = (await response.json()) as object;
      const shown = { argumentsHash: 'sha256:0', arguments: { argv: ['printf', 'other'] } };
      await route.fulfill({ response, json: { ...json, ...shown } });
    };
    await page.route(`**/v1/approvals/${id}`, old);
    await page.goto(`${app.origin}/approvals/${id}`);
    await card(page).getByText('printf other').first().waitFor();
    await page.unroute(`**/v1/approvals/${id}`);
    await card(page)
      .getByRole('button', { name: /Approve once/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve once' }).click();
    await card(page)
      .getByText(/differ from the ones you saw/)
      .waitFor();
    await card(page).getByText('printf changed').first().waitFor();
    expect(await show(id)).toMatchObject({ status: 'pending' });
  });
});
