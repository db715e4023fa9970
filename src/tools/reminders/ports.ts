/** A reminder: a schedule that only says its text. */
export interface ReminderView {
  readonly id: string;
  readonly text: string;
  readonly zone: string;
  /** Missing for a reminder that fires once. */
  readonly cron?: string;
  /** When it fires next; missing after the last time. */
  readonly next?: number;
  /** The same on the clock of the zone. */
  readonly next_local?: string;
  readonly fired?: number;
  readonly fired_local?: string;
}

/** Creates, finds and cancels reminders. Provided as the capability `reminders`. */
export interface ReminderService {
  remind(request: {
    readonly text: string;
    readonly when: { readonly at: number } | { readonly cron: string };
    readonly zone: string;
    readonly run: string;
  }): Promise<ReminderView>;
  /** All reminders, and whether a process runs that fires them. */
  reminders(): Promise<{ readonly reminders: readonly ReminderView[]; readonly running: boolean }>;
  cancelReminder(id: string, run: string): Promise<void>;
}
