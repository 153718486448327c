import { createHmac } from 'node:crypto';
import type { Clock } from '../../shared/clock.ts';
import { randomToken } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { findInstallationValue, installationValue } from '../../store/installation.ts';
import {
  asOnlyWriter,
  deleteTombstones,
  queuedTombstones,
  TOMBSTONE_KINDS,
  type QueuedTombstone,
  type TombstoneKind,
} from '../../store/privacy/tombstones.ts';

/** The list outside the backups: lines are only ever added. */
export interface TombstoneList {
  /** Resolves once the lines are on the disk or in the store. `at` is the present time. */
  append(lines: readonly string[], at: number): Promise<void>;
}

/** One line of the list. */
export interface Tombstone {
  /** Shows which installation's key made the line. */
  readonly key: string;
  readonly at: Date;
  readonly workspaceId: string;
  readonly kind: TombstoneKind;
  /** The HMAC of a number, the id of a call, chat or user, or the hash of an API key. */
  readonly subject: string;
  readonly campaignId: string | null;
  readonly role: string | null;
}

const KEY = 'tombstone_key';
const KEY_CHARS = 43;
const BATCH = 1000;
const BLOCK_BYTES = 64;
const NUMBER_KINDS: ReadonlySet<TombstoneKind> = new Set(['erased_number', 'opted_out', 'opted_in']);
const SHOWN_CHARS = 16;

/** The key of the HMACs. SECRET_KEY seals it, so a rotation of SECRET_KEY leaves the list readable. */
export interface TombstoneKey {
  /** Names the key in every line. */
  readonly id: string;
  digest(workspaceId: string, number: string): string;
  /** The key as HMAC-SHA256 mixes it, for the database's own computation. */
  readonly pads: { readonly inner: Buffer; readonly outer: Buffer };
}

export function createTombstoneKey(secret: string): TombstoneKey {
  const padded = (byte: number): Buffer => {
    const block = Buffer.alloc(BLOCK_BYTES);
    block.write(secret);
    return Buffer.from(block.map((each) => each ^ byte));
  };
  const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex');
  return {
    id: hmac('callwright tombstones').slice(0, SHOWN_CHARS),
    digest: (workspaceId, number) => hmac(`${workspaceId} ${number}`),
    pads: { inner: padded(0x36), outer: padded(0x5c) },
  };
}

/** The installation's key, made on first use; null: another SECRET_KEY sealed it. */
export async function tombstoneKey(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: Seal;
}): Promise<TombstoneKey | null> {
  const make = (): string => deps.seal.seal(randomToken(KEY_CHARS));
  const { value } = await installationValue(deps.db, KEY, make, new Date(deps.clock.now()));
  const secret = deps.seal.open(value);
  return secret === null ? null : createTombstoneKey(secret);
}

/** As `tombstoneKey`, of an installation that has one; makes none. */
export async function findTombstoneKey(db: Db, seal: Seal): Promise<TombstoneKey | null> {
  const stored = await findInstallationValue(db, KEY);
  const secret = stored === null ? null : seal.open(stored.value);
  return secret === null ? null : createTombstoneKey(secret);
}

/**
 * Writes what was erased, opted out and revoked since the last run into the list, then deletes it from the queue: a crash
 * in between writes a line twice, which changes nothing. One process at a time writes.
 */
export async function keepTombstones(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly key: TombstoneKey;
  readonly list: TombstoneList;
}): Promise<void> {
  const { db, clock, key, list } = deps;
  if ((await queuedTombstones(db, 1)).length === 0) return;
  await asOnlyWriter(db, async (writer) => {
    for (;;) {
      const queued = await queuedTombstones(writer, BATCH);
      if (queued.length === 0) return;
      const now = clock.now();
      await list.append(
        queued.map((each) => lineOf(key, each, now)),
        now,
      );
      await deleteTombstones(
        writer,
        queued.map(({ seq }) => seq),
      );
    }
  });
}

function lineOf(key: TombstoneKey, queued: QueuedTombstone, now: number): string {
  const { workspaceId, kind, subject, campaignId, role, at } = queued;
  return JSON.stringify({
    key: key.id,
    at: (at ?? new Date(now)).toISOString(),
    workspace: workspaceId,
    kind,
    subject: NUMBER_KINDS.has(kind) ? key.digest(workspaceId, subject) : subject,
    ...(campaignId === null ? {} : { campaign: campaignId }),
    ...(role === null ? {} : { role }),
  });
}

/** A line of the list; null: it is damaged, such as the last line of a copy that was cut off. */
export function parseTombstone(line: string): Tombstone | null {
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(line) as Record<string, unknown> | null;
  } catch {
    return null;
  }
  const text = (name: string): string | null => {
    const field = value?.[name];
    return typeof field === 'string' ? field : null;
  };
  const [key, workspaceId, subject] = [text('key'), text('workspace'), text('subject')];
  const kind = TOMBSTONE_KINDS.find((each) => each === text('kind'));
  const at = new Date(text('at') ?? Number.NaN);
  if (key === null || workspaceId === null || subject === null || kind === undefined) return null;
  if (Number.isNaN(at.getTime())) return null;
  return { key, at, workspaceId, kind, subject, campaignId: text('campaign'), role: text('role') };
}
