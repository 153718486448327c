import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { declaredQuotas } from '../../store/json/workspace-settings.ts';
import type { JsonObject } from '../../store/schema.ts';
import {
  countStored,
  enterWorkspaces,
  readStorageUse,
  saveCount,
  STORAGE_KINDS,
  takeDueCount,
  type StorageKind,
  type StorageQuotas,
} from '../../store/tenants/storage-use.ts';
import type { CapNotices } from './cap-notices.ts';
import type { StorageLimit } from './limits.ts';

export type { StorageKind };

/** Quotas in MB of workspaces whose limits declare none (`STORAGE_…_MB`); 0: no quota. */
export type StorageDefaults = Readonly<Record<StorageKind, number>>;

/** Each quota by its name in the limits, and what it bounds. */
const QUOTAS: Readonly<Record<StorageKind, { readonly name: StorageLimit; readonly what: string }>> = {
  recordings: { name: 'recordings_mb', what: 'recordings' },
  callRecords: { name: 'call_records_mb', what: 'transcripts and event logs' },
  chats: { name: 'chats_mb', what: 'chats' },
  tests: { name: 'tests_mb', what: 'tests' },
};

const MB = 1_048_576;

/** The quotas of a workspace in MB; an absent kind has none. A child has those of its parent, and narrows them. */
export function storageQuotas(settings: JsonObject, defaults: StorageDefaults): StorageQuotas {
  const { parent, ...own } = settings as JsonObject & { readonly parent?: JsonObject };
  const [mine, above] = [declaredQuotas(own), declaredQuotas(parent ?? {})];
  const quotas: Partial<Record<StorageKind, number>> = {};
  for (const kind of STORAGE_KINDS) {
    const inherited = above[kind] ?? defaults[kind];
    const declared = mine[kind] ?? inherited;
    const mb = parent === undefined || inherited === 0 ? declared : Math.min(declared, inherited);
    if (mb > 0) quotas[kind] = mb;
  }
  return quotas;
}

/** The next count begins after ten minutes, or after fifty times the duration of this one, within the hour at the latest. */
const COUNT_EVERY_MS = 600_000;
const PAUSE_PER_COUNT = 50;
const COUNT_AGAIN_MS = 3_600_000;

export interface CountDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly storageMb: StorageDefaults;
  readonly notices?: CapNotices;
}

/** Makes the first count of new workspaces due. */
export const enterNewWorkspaces = ({ db, clock }: Pick<CountDeps, 'db' | 'clock'>): Promise<void> =>
  enterWorkspaces(db, new Date(clock.now()));

/**
 * Counts the bytes of the workspace whose count has been due for longest, and notes each quota that it has reached, once a day. False:
 * no count is due. Processes share the work: each count is leased to one of them.
 */
export async function countNext(deps: CountDeps, isStopped = () => false): Promise<boolean> {
  const { db, clock, storageMb, notices } = deps;
  const began = clock.now();
  const leasedUntil = new Date(began + COUNT_AGAIN_MS);
  const due = await takeDueCount(db, new Date(began), leasedUntil);
  if (due === null) return false;
  const { workspaceId, settings } = due;
  const bytes = await countStored(db, workspaceId, isStopped);
  // The sums of an interrupted count are too small.
  if (isStopped()) return false;
  const quotas = storageQuotas(settings, storageMb);
  const full = STORAGE_KINDS.filter((kind) => bytes[kind] >= (quotas[kind] ?? Infinity) * MB);
  const countedAt = clock.now();
  const pauseMs = Math.max(COUNT_EVERY_MS, PAUSE_PER_COUNT * (countedAt - began));
  const dueAt = new Date(countedAt + Math.min(COUNT_AGAIN_MS, pauseMs));
  await saveCount(
    db,
    workspaceId,
    { bytes, full, quotas },
    { countedAt: new Date(countedAt), dueAt, leasedUntil },
  );
  for (const kind of full) notices?.note(db, workspaceId, QUOTAS[kind].name);
  return true;
}

/** Throws 429 if the workspace had reached its quota of the kind at the last count. */
export async function checkStorage(
  deps: { readonly db: Db },
  workspaceId: string,
  kind: StorageKind,
): Promise<void> {
  const use = await readStorageUse(deps.db, workspaceId);
  if (use?.full.includes(kind) !== true) return;
  throw errors.storageQuotaReached(QUOTAS[kind].name, QUOTAS[kind].what, use.quotas[kind] ?? 0);
}

/** Whether the workspace had reached its quota of the kind at the last count. */
export const isStorageFull = async (db: Db, workspaceId: string, kind: StorageKind): Promise<boolean> =>
  (await readStorageUse(db, workspaceId))?.full.includes(kind) === true;

/** One kind of data that a workspace stores. */
export interface KindUse {
  readonly bytes: number;
  /** Null: no quota. */
  readonly quotaBytes: number | null;
  /** The last count found the quota reached. */
  readonly isFull: boolean;
}

export interface WorkspaceUsage {
  readonly storage: Readonly<Record<StorageKind, KindUse>>;
  /** Null: not counted yet. */
  readonly countedAt: Date | null;
}

/** Stored bytes and quotas of the workspace, both as of the last count. */
export async function readUsage(deps: { readonly db: Db }, workspaceId: string): Promise<WorkspaceUsage> {
  const use = await readStorageUse(deps.db, workspaceId);
  const useOf = (kind: StorageKind): KindUse => {
    const quotaMb = use?.quotas[kind];
    return {
      bytes: use?.bytes[kind] ?? 0,
      quotaBytes: quotaMb === undefined ? null : quotaMb * MB,
      isFull: use?.full.includes(kind) === true,
    };
  };
  return {
    storage: {
      recordings: useOf('recordings'),
      callRecords: useOf('callRecords'),
      chats: useOf('chats'),
      tests: useOf('tests'),
    },
    countedAt: use?.countedAt ?? null,
  };
}
