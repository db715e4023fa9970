// Owns: the commands of a session that read or change its conversation: cost, diff, undo, export. Does not own: their texts.
import { existsSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type ChatMessageView, isOkaError, type NotificationView, type OkaApi } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { showRunId, showTime } from '../format.ts';
import type { CancelledTurn } from '../terminal/room-turns.ts';
import { listChanges, showChanges, showUndone, showUsage } from './session-text.ts';

/** A conversation on which a command works. */
export interface CommandPlace {
  readonly context: Context;
  readonly api: OkaApi;
  readonly conversation: string;
}

export async function costOf({ api, conversation }: CommandPlace): Promise<string> {
  const [usage, { messages }] = await Promise.all([
    api.chat.usage(conversation),
    api.chat.view({ conversation }),
  ]);
  return showUsage(usage, messages);
}

export async function diffOf({ api, conversation, context }: CommandPlace): Promise<string> {
  const changes = await api.runs.changes(runsOf(await api.chat.trace(conversation)));
  return showChanges(changes, context.printer.dataColors);
}

/** Undoes the newest turn that changed files and is not undone yet. */
export async function undoLast({ api, conversation, context }: CommandPlace): Promise<string> {
  const [turns, { messages }] = await Promise.all([
    api.chat.trace(conversation),
    api.chat.view({ conversation }),
  ]);
  for (const { run, message } of turns.toReversed()) {
    if (run === undefined) continue;
    try {
      const undone = await api.runs.undo(run, context.by, false);
      return showUndone(undone, messages.find(({ id }) => id === message)?.content ?? run);
    } catch (error) {
      if (!isOkaError(error, ['engine.nothing_to_undo', 'engine.unknown_run'])) throw error;
    }
  }
  return 'This session has no file changes to undo.';
}

/** Writes the session as Markdown. Asks before it replaces a file. */
export async function exportSession(place: CommandPlace, named: string | undefined): Promise<string> {
  const { context, api, conversation } = place;
  const file = resolve(context.workspace, named ?? `${conversation}.md`);
  const shown = relative(context.workspace, file);
  const { messages } = await api.chat.view({ conversation });
  const exists = existsSync(file);
  if (exists && !(await context.confirm(`${shown} exists. Replace it?`))) return 'Nothing was written.';
  writeFileSync(file, toMarkdown(conversation, messages), { flag: exists ? 'w' : 'wx' });
  const count = messages.length === 1 ? '1 message' : `${messages.length} messages`;
  return `Wrote ${count} to ${shown}`;
}

function toMarkdown(conversation: string, messages: readonly ChatMessageView[]): string {
  const parts = messages.map(
    ({ from, at, content }) => `## ${from}, ${showTime(at)} UTC\n\n${content.trim()}\n`,
  );
  return [`# Session ${conversation}\n`, ...parts].join('\n');
}

/** How to go on after a turn was stopped: what it changed, and the commands that continue and undo it. */
export async function describeStop(api: OkaApi, { run }: CancelledTurn): Promise<string> {
  const [{ run: stopped }, changes] = await Promise.all([api.runs.show(run), api.runs.changes([run])]);
  const { steps = 0 } = stopped.budgets.used;
  const did = changes.length === 0 ? 'No files were changed.' : `Changed: ${listChanges(changes)}.`;
  const undo = changes.length === 0 ? '' : '  ·  undo: /undo';
  return [
    `  Stopped${steps === 0 ? '' : ` after step ${steps}`}. ${did}`,
    `  Continue: type what to do next, or /runs resume ${showRunId(run)}${undo}`,
  ].join('\n');
}

/** The runs of all turns, the oldest first. */
function runsOf(turns: readonly NotificationView[]): readonly string[] {
  return turns.flatMap(({ run }) => run ?? []);
}
