// Owns: whether the user trusts this workspace, and which of its acting items. Every kind is checked where it is loaded.
// I1 An item acts only if the trust record of exactly this workspace holds the digest of exactly this content.
// I2 Only a command of the user adds to the record; no tool and no call over a socket does.
import {
  type AgentFile,
  type ApprovedItem,
  scriptDigests,
  type UserFolder,
  type WorkspaceFolder,
} from '../../adapters/workspace/index.ts';
import type { ConfigErrorCode, OkaConfig } from '../../config/index.ts';
import { type Clock, type Json, OkaError, type OkaErrorOptions } from '../../kernel/index.ts';
import type { Schedule } from '../../schedule/index.ts';
import {
  type ActingItem,
  agentItem,
  commandOf,
  defaultModelItem,
  type FoundServer,
  hookItem,
  modelItem,
  readAgentItem,
  scheduleItem,
  scriptOf,
  serverItem,
} from './acting-items.ts';
import { countItems, isApproved, isNamesake, itemName, stateOf, withItem } from './compare-items.ts';

export interface WorkspaceTrustParts {
  readonly folder: WorkspaceFolder;
  readonly user: UserFolder;
  readonly clock: Clock;
  /** Reads everything that acts in the workspace now. */
  readonly readItems: () => Promise<readonly ActingItem[]>;
  /** Called once with each item that does not act, because the user did not approve it. */
  readonly onWithheld: (what: string) => void;
  readonly warn: (what: string) => void;
}

export class WorkspaceTrust {
  readonly #parts: WorkspaceTrustParts;
  readonly #reported = new Set<string>();
  readonly #withheldModels = new Map<string, ActingItem>();
  /** The scripts of the project's models. */
  #scripts: readonly string[] = [];
  #upgrade: Promise<void> | undefined;
  /** The items found in a workspace of an earlier version whose record could not be written. */
  #unsaved: readonly ApprovedItem[] = [];

  constructor(parts: WorkspaceTrustParts) {
    this.#parts = parts;
  }

  isTrusted = (): boolean => this.#parts.folder.exists && this.#parts.user.isTrusted(this.#parts.folder);

  /** Completes the record of an earlier version, which holds no items: what acted under it counts as approved. */
  ready = async (): Promise<void> => {
    if (!this.#parts.folder.exists || this.#record()?.items !== undefined || !this.isTrusted()) return;
    this.#upgrade ??= this.#upgradeRecord();
    await this.#upgrade;
  };

  /** Tells whether the answers of this object may have changed: another record, configuration or script of a model. */
  get version(): string {
    const { folder, user } = this.#parts;
    const scripts = this.#scripts.map((script) => folder.versionOf(script));
    return [user.trust.version, folder.configVersion, user.configVersion, ...scripts].join(' ');
  }

  /** The project's configuration without what the user did not approve. */
  filterConfig = (config: OkaConfig): OkaConfig => {
    this.#scripts = Object.values(config.models).flatMap(scriptOf);
    const models = Object.entries(config.models).filter(([name, model]) => {
      const item = modelItem(name, model, this.filesOf(scriptOf(model)));
      const acts = item === undefined || this.mayAct(item);
      if (acts) this.#withheldModels.delete(name);
      else this.#withheldModels.set(name, item);
      return acts;
    });
    const { defaultModel } = config;
    // A run that needs a withheld model fails with the next step; any other model is chosen only if the user approved that.
    const isChosen =
      defaultModel === undefined ||
      this.#withheldModels.has(defaultModel) ||
      this.mayAct(defaultModelItem(defaultModel));
    return {
      ...config,
      defaultModel: isChosen ? defaultModel : undefined,
      hooks: config.hooks.filter((hook) => this.mayRun(hook)),
      models: Object.fromEntries(models),
    };
  };

  /** The refusal of a model that the user did not approve. */
  readonly refuseModel = (name: string): OkaError | undefined => {
    const item = this.#withheldModels.get(name);
    return item && this.#refusal(item);
  };

  /** Digests of the programs and scripts of the workspace that a command names, as they are now. */
  readonly filesOf = (command: readonly string[]): Readonly<Record<string, string>> =>
    scriptDigests(this.#parts.folder.workspace, command);

  /** Whether a hook may run, with the files that its command names as they are now. */
  mayRun(hook: OkaConfig['hooks'][number]): boolean {
    return this.mayAct(hookItem(hook, this.filesOf(hook.command)));
  }

  /** Whether a file may replace a built-in agent. */
  mayReplace = (file: AgentFile): boolean => this.mayAct(agentItem(readAgentItem(file, this.filesOf)));

  itemOfServer = (server: FoundServer): ActingItem =>
    serverItem(server, this.filesOf(commandOf(server.launch)));

  /** Throws a transient `config.trust_changed`, because the schedule can fire once the user has approved it. */
  readonly requireSchedule = (schedule: Schedule, graph: Json): void =>
    this.requireApproved(scheduleItem(schedule, graph), { transient: true });

  /** Whether the user approved the item. Reports it once if not. */
  mayAct(item: ActingItem): boolean {
    if (this.isApproved(item)) return true;
    if (!this.#reported.has(item.digest)) {
      this.#reported.add(item.digest);
      this.#parts.onWithheld(this.#describe(item));
    }
    return false;
  }

  isApproved(item: ActingItem): boolean {
    return isApproved(item, this.approved());
  }

  /** Throws `config.trust_changed` unless the user approved the item. */
  requireApproved(item: ActingItem, options: Pick<OkaErrorOptions, 'transient'> = {}): void {
    if (!this.isApproved(item)) throw this.#refusal(item, options);
  }

  /** What the user approved of this workspace. */
  approved(): readonly ApprovedItem[] {
    return this.#record()?.items ?? this.#unsaved;
  }

  /** Approves one item that a command of the user made, and nothing else. */
  approveItem = (item: ActingItem): void => {
    const { folder, user } = this.#parts;
    user.trust.change(folder.identity(), (items) => withItem(items, item));
  };

  /** Removes the approval of an item that a command of the user removed. */
  forgetItem = (item: Pick<ActingItem, 'kind' | 'name'>): void => {
    const { folder, user } = this.#parts;
    if (this.approved().some((one) => isNamesake(one, item)))
      user.trust.change(folder.identity(), (items) => items.filter((one) => !isNamesake(one, item)));
  };

  /** Trusts the workspace with exactly these items. Takes the record of a moved folder along. */
  trustWith(items: readonly ActingItem[]): void {
    const { folder, user, clock } = this.#parts;
    folder.create();
    folder.makePrivate();
    const identity = folder.identity();
    const from = user.trust.find(identity) === undefined ? user.trust.formerPath(identity) : undefined;
    user.trust.put(identity, { trustedAt: clock.now(), items }, from);
  }

  #record() {
    return this.#parts.user.trust.find(this.#parts.folder.identity());
  }

  async #upgradeRecord(): Promise<void> {
    const { folder, user, warn, readItems } = this.#parts;
    const trustedAt = this.#record()?.trustedAt ?? 0;
    // Earlier versions ran none of these programs.
    const items = (await readItems()).filter(({ kind }) => kind !== 'program');
    try {
      folder.refuseLinks();
      folder.ensureIdentity();
      user.trust.put(folder.identity(), { trustedAt, items });
    } catch (error) {
      this.#unsaved = items;
      warn(`the trust record could not be completed: ${(error as Error).message}`);
    }
    if (items.length > 0)
      warn(
        `this folder was trusted by an earlier version of Oka. It may use ${countItems(items)}: ${items.map(itemName).join(', ')}. Anything that is added or changed needs: oka trust`,
      );
  }

  #describe(item: ActingItem): string {
    const how = stateOf(item, this.approved()) === 'changed' ? 'has changed' : 'is new';
    return `${itemName(item)} ${how} since you trusted this folder, so it does not act. Review it with: oka trust`;
  }

  #refusal(item: ActingItem, options: Pick<OkaErrorOptions, 'transient'> = {}): OkaError<ConfigErrorCode> {
    const { kind, name } = item;
    return new OkaError('config.trust_changed', `The ${this.#describe(item)}.`, {
      data: { workspace: this.#parts.folder.workspace, items: [{ kind, name }] },
      ...options,
    });
  }
}
