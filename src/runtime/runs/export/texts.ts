import { html, type Markup } from './markup.ts';

const MAX_TEXT_LENGTH = 20_000;

/** Long texts are cut here; the data of the file has them whole. */
export function clipped(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  return `${text.slice(0, MAX_TEXT_LENGTH)}… (${showCount(text.length - MAX_TEXT_LENGTH)} more characters in the data of this file)`;
}

/** In UTC, because the file has to be the same for everyone. */
export function showTime(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').slice(0, 19);
}

export function showDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

export function showCount(value: number): string {
  return value.toLocaleString('en-US');
}

export function showDollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? `$${amount.toFixed(4)}` : `$${amount.toFixed(2)}`;
}

const TONES: Readonly<Record<string, readonly [tone: string, sign: string]>> = {
  completed: ['ok', '✓'],
  ok: ['ok', '✓'],
  failed: ['bad', '✗'],
  refused: ['bad', '✗'],
  waiting: ['wait', '◔'],
  paused: ['wait', '‖'],
  pending: ['wait', '…'],
};

/** A status as a sign and a word. */
export function statusChip(status: string): Markup {
  const [tone, sign] = TONES[status] ?? ['', '·'];
  return html`<span class="chip ${tone}">${sign} ${status}</span>`;
}
