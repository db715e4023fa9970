// Owns: prompting for the pending approvals of a conversation. Does not own: the prompt itself.
import type { ApprovalView, OkaApi } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { visible } from '../printer.ts';
import { applyDecision, type Decision, promptForDecision } from '../prompt-decision.ts';
import type { LineEditor } from './line-editor.ts';

const MAX_DEPTH = 32;

export interface ApprovalPrompterParts {
  readonly context: Context;
  readonly api: OkaApi;
  readonly editor: LineEditor;
  readonly conversation: string;
  /** Aborts when the user leaves. */
  readonly left: AbortSignal;
}

/** Prompts for one approval at a time, and only while the input line is empty. */
export class ApprovalPrompter {
  readonly #parts: ApprovalPrompterParts;
  /** Decided or postponed. */
  readonly #handled = new Set<string>();
  #isPrompting = false;

  constructor(parts: ApprovalPrompterParts) {
    this.#parts = parts;
  }

  /** Prompts for pending approvals; `again` includes postponed ones. */
  prompt(again: boolean): void {
    if (again) this.#handled.clear();
    if (this.#isPrompting) return;
    this.#isPrompting = true;
    void this.#promptAll()
      .catch((error: unknown) => this.#printError(error))
      .finally(() => {
        this.#isPrompting = false;
      });
  }

  async #promptAll(): Promise<void> {
    const { api, conversation, editor, context, left } = this.#parts;
    const { yellow, dim } = context.printer.dataColors;
    for (;;) {
      const waiting = await waitingApprovals(api, conversation);
      const approval = waiting.find(({ id }) => !this.#handled.has(id));
      if (approval === undefined || left.aborted) return;
      this.#handled.add(approval.id);
      if (!editor.isEmpty) {
        editor.print(yellow('? An agent needs your approval. To see it: /approve'));
        continue;
      }
      // The card appears unasked, so Enter postpones it.
      const decision = await editor.withTerminal(() =>
        promptForDecision(context, approval, { unasked: true }),
      );
      if (decision === undefined) editor.print(dim('Postponed. To decide: /approve'));
      else void this.#decide(approval, decision).catch((error: unknown) => this.#printError(error));
    }
  }

  async #decide(approval: ApprovalView, decision: Decision): Promise<void> {
    const { api, conversation, context, editor } = this.#parts;
    await applyDecision(context, api, approval, decision, (text) => editor.print(text));
    // Wake the host of the agent.
    for (const { status, message, depth } of await api.chat.trace(conversation))
      if (status === 'claimed')
        await api.chat.notify({ conv_name: conversation, message_id: message, depth });
    this.prompt(false);
  }

  #printError(error: unknown): void {
    const { context, editor, left } = this.#parts;
    const { red } = context.printer.dataColors;
    if (!left.aborted) editor.print(`${red('✗')} ${visible((error as Error).message)}`);
  }
}

/** Pending approvals in the runs of the turns and in their child runs. */
export async function waitingApprovals(api: OkaApi, conversation: string): Promise<readonly ApprovalView[]> {
  const turns = await api.chat.trace(conversation);
  const runs = new Set(turns.flatMap(({ status, run }) => (status === 'claimed' ? (run ?? []) : [])));
  if (runs.size === 0) return [];
  const found: ApprovalView[] = [];
  for (const approval of await api.approvals.list({ status: 'pending' }))
    if (await isWithin(api, approval.run, runs)) found.push(approval);
  return found;
}

async function isWithin(api: OkaApi, run: string, runs: ReadonlySet<string>): Promise<boolean> {
  let current: string | undefined = run;
  for (let depth = 0; current !== undefined && depth < MAX_DEPTH; depth++) {
    if (runs.has(current)) return true;
    current = (await api.runs.show(current)).run.parent;
  }
  return false;
}
