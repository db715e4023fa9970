// Owns: asking a person at a terminal what the agents of a conversation wait for. Does not own: what is asked, and how.
import type { ApprovalView, OkaApi } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { askPerson, carryOut, type Decision } from '../go-on.ts';
import { visible } from '../printer.ts';
import type { LineEditor } from './line-editor.ts';
import { waitingApprovals } from './waiting-approvals.ts';

export interface AttendantParts {
  readonly context: Context;
  readonly api: OkaApi;
  readonly editor: LineEditor;
  readonly conversation: string;
  /** Aborted when the person has left. */
  readonly left: AbortSignal;
}

/** Asks one thing after the other, and only while nothing is being typed. */
export class Attendant {
  readonly #parts: AttendantParts;
  /** What the person wants to decide later, or has decided. */
  readonly #settled = new Set<string>();
  #asking = false;

  constructor(parts: AttendantParts) {
    this.#parts = parts;
  }

  /** Asks what waits now. `again`: also what the person put off. */
  attend(again: boolean): void {
    if (again) this.#settled.clear();
    if (this.#asking) return;
    this.#asking = true;
    void this.#ask()
      .catch((error: unknown) => this.#tell(error))
      .finally(() => {
        this.#asking = false;
      });
  }

  async #ask(): Promise<void> {
    const { api, conversation, editor, context, left } = this.#parts;
    const { yellow, dim } = context.printer.dataColors;
    for (;;) {
      const waiting = await waitingApprovals(api, conversation);
      const approval = waiting.find(({ id }) => !this.#settled.has(id));
      if (approval === undefined || left.aborted) return;
      this.#settled.add(approval.id);
      if (!editor.isEmpty) {
        editor.print(yellow('? an agent asks you something; see it with: /approve'));
        continue;
      }
      // Nobody has asked for the question, so a bare Enter must not allow anything.
      const decision = await editor.lend(() => askPerson(context, approval, { first: 'later' }));
      if (decision === undefined) editor.print(dim('it waits; decide with: /approve'));
      else void this.#decide(approval, decision).catch((error: unknown) => this.#tell(error));
    }
  }

  async #decide(approval: ApprovalView, decision: Decision): Promise<void> {
    const { api, conversation, context } = this.#parts;
    await carryOut(context, api, approval, decision);
    // Who hosts the agent sees that its run does not wait any more.
    for (const { status, message, depth } of await api.chat.trace(conversation))
      if (status === 'claimed')
        await api.chat.notify({ conv_name: conversation, message_id: message, depth });
    this.attend(false);
  }

  #tell(error: unknown): void {
    const { context, editor, left } = this.#parts;
    const { red } = context.printer.dataColors;
    if (!left.aborted) editor.print(`${red('✗')} ${visible((error as Error).message)}`);
  }
}
