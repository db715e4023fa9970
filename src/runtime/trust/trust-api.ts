import { type TrustRecord, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { TrustApi, TrustedWorkspace, TrustItem, TrustView } from '../../api/index.ts';
import type { ConfigErrorCode } from '../../config/index.ts';
import { digestOfJson, OkaError } from '../../kernel/index.ts';
import { viewSchedule } from '../../schedule/index.ts';
import { unifiedDiff } from '../../tools/index.ts';
import type { OpenWorkspace } from '../services/open-workspace.ts';
import type { ActingItem } from './acting-items.ts';
import { type ComparedItem, compareItems, countItems, itemName } from './compare-items.ts';

type TrustServices = Pick<
  OpenWorkspace,
  | 'folder'
  | 'home'
  | 'user'
  | 'clock'
  | 'ids'
  | 'trust'
  | 'isTrusted'
  | 'requireWorkspace'
  | 'readActingItems'
  | 'ledger'
  | 'openForWriting'
  | 'close'
  | 'warn'
>;

/** Shows and changes what the user trusts. */
export function trustApi(services: TrustServices): TrustApi {
  return {
    show: async () => {
      services.requireWorkspace();
      return viewTrust(services, await services.readActingItems());
    },
    approve: async ({ digest, adoptLedger = false }) => {
      services.requireWorkspace();
      const items = await services.readActingItems();
      if ((await viewTrust(services, items)).digest !== digest) throw changedMeanwhile(services);
      const { trustWorkspace } = await import('./trust-workspace.ts');
      const told = await trustWorkspace(services, items, { adoptLedger });
      return { ...(await viewTrust(services, await services.readActingItems())), ...told };
    },
    list: async () =>
      services.user.trust.list().map(({ path, ...record }) => viewWorkspace(services, path, record)),
    revoke: async (path) => services.user.revokeTrust(path),
  };
}

async function viewTrust(services: TrustServices, items: readonly ActingItem[]): Promise<TrustView> {
  const { folder, user, trust, clock } = services;
  await trust.ready();
  const identity = folder.identity();
  const record = user.trust.find(identity);
  const movedFrom = record === undefined ? user.trust.formerPath(identity) : undefined;
  const former = movedFrom === undefined ? undefined : user.trust.at(movedFrom);
  const { current, removed } = compareItems(items, (record ?? former)?.items ?? []);
  const hasSchedules = items.some(({ kind }) => kind === 'schedule');
  const firings = hasSchedules ? await nextFirings(services, clock.now()) : new Map<string, number>();
  return {
    workspace: folder.workspace,
    trusted: record !== undefined,
    ...(record === undefined ? {} : { trustedAt: record.trustedAt }),
    ...(movedFrom === undefined ? {} : { movedFrom }),
    items: await Promise.all(current.map((compared) => viewItem(compared, firings))),
    removed: removed.map(({ kind, name }) => ({ kind, name })),
    summary: countItems(items),
    digest: digestOfJson({ identity, items: items.map(({ kind, digest }) => ({ kind, digest })) }),
  };
}

async function viewItem(
  { item, state, before }: ComparedItem,
  firings: ReadonlyMap<string, number>,
): Promise<TrustItem> {
  const { kind, name, text } = item;
  const nextAt = kind === 'schedule' ? firings.get(name) : undefined;
  return {
    ...{ kind, name, state, text },
    ...(state === 'changed' && before !== undefined
      ? { diff: await unifiedDiff(itemName(item), `${before.text}\n`, `${text}\n`) }
      : {}),
    ...(nextAt === undefined ? {} : { nextAt }),
  };
}

/** When each schedule fires next. */
async function nextFirings(services: TrustServices, now: number): Promise<ReadonlyMap<string, number>> {
  const schedules = await services.ledger().schedules.list();
  return new Map(
    schedules.flatMap((schedule) => {
      const [next] = viewSchedule(schedule, now).next;
      return next === undefined ? [] : [[schedule.id, next] as const];
    }),
  );
}

function viewWorkspace({ user }: TrustServices, path: string, record: TrustRecord): TrustedWorkspace {
  const { id, trustedAt, items = [] } = record;
  return {
    path,
    ...(id === undefined ? {} : { id }),
    trustedAt,
    items: items.length,
    state: stateOf(user, path),
  };
}

function stateOf(user: TrustServices['user'], path: string): TrustedWorkspace['state'] {
  const folder = new WorkspaceFolder(path);
  if (!folder.exists) return 'missing';
  return user.isTrusted(folder) ? 'trusted' : 'replaced';
}

function changedMeanwhile({ folder }: TrustServices): OkaError<ConfigErrorCode> {
  return new OkaError(
    'config.trust_changed',
    'Something that acts has changed since it was shown, so nothing was approved. See it again with: oka trust.',
    { data: { workspace: folder.workspace } },
  );
}
