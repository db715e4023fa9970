// Owns: the steps of an exported run: decision, reason, verdicts, input and output of each.
import type { ExplainedAction, Explanation } from '../../../engine/index.ts';
import type { Json } from '../../../kernel/index.ts';
import { html, type Markup } from './markup.ts';
import { clipped, showCount, showDollars, showTime, statusChip } from './texts.ts';

export function showSteps({ actions }: Explanation): Markup {
  if (actions.length === 0) return html`<p class="muted">No step was made.</p>`;
  return html`${actions.map(showStep)}`;
}

/** What an action did, in a few words. */
export function titleOf({ decision, tool, input }: ExplainedAction): string {
  if (tool !== undefined) return tool;
  if (decision === 'transition') return `moved on to ${String(input)}`;
  if (decision === 'ask_human') return 'asked a person';
  return decision === 'finish' ? 'finished' : 'gave up';
}

function showStep(action: ExplainedAction): Markup {
  const { step, rationale, outcome } = action;
  return html`<details><summary>${step}. <b>${titleOf(action)}</b>${outcome === undefined ? undefined : statusChip(outcome)}<span class="why">${rationale}</span></summary>${detailsOf(action)}</details>`;
}

function detailsOf(action: ExplainedAction): Markup {
  const { at, state, verdicts, model, failure, attempts, recoveries = [], artifacts = [] } = action;
  const rows: Markup[] = [line('Time', showTime(at)), line('State', state)];
  if (verdicts.length > 0) rows.push(line('Verdicts', verdicts.join('; ')));
  if (model !== undefined) rows.push(line('Model', modelText(model)));
  if (action.decision !== 'transition' && action.input !== undefined) rows.push(value('Input', action.input));
  if (action.output !== undefined) rows.push(value('Output', action.output));
  if (failure !== undefined) rows.push(line('Failure', `${failure.code}: ${failure.message}`));
  if (attempts !== undefined && attempts > 1) rows.push(line('Attempts', String(attempts)));
  for (const recovery of recoveries) rows.push(line('Recovery', recovery));
  for (const { name, digest, bytes } of artifacts)
    rows.push(line('Artifact', `${name ?? 'unnamed'}, ${showCount(bytes)} bytes, SHA-256 ${digest}`));
  return html`<dl>${rows}</dl>`;
}

function modelText({ provider, model, spend }: NonNullable<ExplainedAction['model']>): string {
  const { input_tokens: given = 0, output_tokens: got = 0, cost_usd: cost } = spend;
  const paid = cost === undefined ? '' : `, ${showDollars(cost)}`;
  return `${provider}/${model}, ${showCount(given)} tokens in, ${showCount(got)} out${paid}`;
}

function line(name: string, text: string): Markup {
  return html`<dt>${name}</dt><dd>${text}</dd>`;
}

function value(name: string, content: Json): Markup {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return html`<dt>${name}</dt><dd><div class="code" tabindex="0">${clipped(text)}</div></dd>`;
}
