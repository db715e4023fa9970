// Owns: the readable part of an exported run: facts, timeline, story, steps, events. It works without scripts.
import { outputText, shortId } from '../../../api/index.ts';
import type { Explanation } from '../../../engine/index.ts';
import { canonicalJson, type Json } from '../../../kernel/index.ts';
import type { LedgerEvent } from '../../../ledger/index.ts';
import { narrate } from '../narrate.ts';
import { html, type Markup } from './markup.ts';
import { showSteps } from './step-parts.ts';
import { clipped, showCount, showDollars, showDuration, showTime, statusChip } from './texts.ts';
import { type ExportedRun, showTimeline } from './timeline.ts';

interface PageParts {
  /** The exported run first. */
  readonly runs: readonly ExportedRun[];
  readonly events: readonly LedgerEvent[];
  readonly exportedAt: number;
  readonly version: string;
}

/** The HTML inside `main`. */
export function exportPage({ runs, events, exportedAt, version }: PageParts): string {
  const [first, ...below] = runs as [ExportedRun, ...ExportedRun[]];
  const { run } = first.explanation;
  return html`<header><h1>${run.goal}</h1>${factsOf(first)}</header>
${outcomeOf(first.explanation)}<h2>Timeline</h2><div class="card">${showTimeline(runs)}</div>
<h2>Story</h2><div class="card">${storyOf(first.explanation)}</div>
<h2>Steps</h2><div class="card">${showSteps(first.explanation)}</div>
${below.map(childOf)}<h2>Events</h2><div class="card">${eventsOf(events)}</div>
<h2>What the check proves</h2>${proofText()}
<p class="muted">Exported on ${showTime(exportedAt)} by Oka ${version}. Times are in UTC.</p>`.text;
}

function factsOf({ explanation: { run, cost } }: ExportedRun): Markup {
  const { input_tokens: given = 0, output_tokens: got = 0, cost_usd: dollars, steps } = cost;
  const facts: Markup[] = [
    statusChip(run.status),
    html`<span>run <b class="mono">${run.id}</b></span>`,
    html`<span>kind <b>${run.kind}</b></span>`,
    html`<span>started <b>${showTime(run.startedAt)}</b></span>`,
  ];
  if (run.endedAt !== undefined)
    facts.push(html`<span>took <b>${showDuration(run.endedAt - run.startedAt)}</b></span>`);
  if (steps !== undefined) facts.push(html`<span>steps <b>${showCount(steps)}</b></span>`);
  if (given + got > 0)
    facts.push(html`<span>tokens <b>${showCount(given)}</b> in, <b>${showCount(got)}</b> out</span>`);
  if (dollars !== undefined) facts.push(html`<span>cost <b>${showDollars(dollars)}</b></span>`);
  return html`<div class="facts">${facts}</div>`;
}

function outcomeOf({ run: { output, failure } }: Explanation): Markup | undefined {
  if (failure !== undefined)
    return html`<h2>Failure</h2><div class="card"><code>${failure.code}</code> ${failure.message}</div>\n`;
  if (output === undefined || output === null) return undefined;
  return html`<h2>Output</h2><div class="card"><div class="code">${clipped(textOf(output))}</div></div>\n`;
}

function textOf(output: Json): string {
  return outputText(output) || canonicalJson(output);
}

function storyOf(explanation: Explanation): Markup {
  return html`<ul class="story">${narrate(explanation).map((line) => html`<li>${line}</li>`)}</ul>`;
}

function childOf(child: ExportedRun): Markup {
  const { run } = child.explanation;
  return html`<section class="child"><h2>Child run ${shortId(run.id)}: ${run.goal}</h2>${factsOf(child)}${outcomeOf(child.explanation)}<h2>Steps</h2><div class="card">${showSteps(child.explanation)}</div></section>\n`;
}

function eventsOf(events: readonly LedgerEvent[]): Markup {
  const rows = events.map(
    ({ seq, at, stream, type, actor, chain, bodyErased }) =>
      html`<tr><td>${seq}</td><td class="wide">${showTime(at)}</td><td>${shortStream(stream)}</td><td><code>${type}</code>${bodyErased ? ' (no content)' : ''}</td><td class="wide">${actor}</td><td class="mono">${chain.slice(0, 12)}</td></tr>`,
  );
  return html`<details><summary>${showCount(events.length)} events of the ledger, with the start of each chain value</summary><table><thead><tr><th>seq</th><th class="wide">time</th><th>stream</th><th>event</th><th class="wide">by</th><th>chain</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

/** The id of a stream is mostly that of a run. */
function shortStream(stream: string): string {
  const [kind, ...id] = stream.split('/');
  return id.length === 0 ? stream : `${kind}/${shortId(id.join('/'))}`;
}

function proofText(): Markup {
  return html`<div class="card"><ul class="story"><li>The script of this file recomputes the digest of each event's content and the chain value of each event, from the first event of each run to the last, and the digest of this text. A single changed byte shows, unless all these values were computed again.</li><li>A signature shows which key exported it. Without one, or if you do not know the key, anyone could have computed them again: compare.</li><li>To compare: run <code>oka ledger verify</code> in the workspace, then look for the chain value of the check in <code>oka ledger export</code>. It is there exactly if the ledger has these events.</li><li>The file proves what was recorded. It does not prove that a model or a tool told the truth, and it has no events of other runs.</li><li>A file from a stranger may bring a changed script. The format is described in docs/formats/export.md, so that another program can check it.</li></ul></div>`;
}
