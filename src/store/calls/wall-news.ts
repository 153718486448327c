import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Channel of the processes that show live calls to somebody; its payload is a `WallRequest`. */
export const WALL_REQUESTS = 'callwright_wall_requests';
/** Channel of the events of live calls, for processes that show those of other processes; its payload is a `WallNews`. */
export const WALL_NEWS = 'callwright_wall_news';
/** Bytes of a payload; PostgreSQL takes less than 8,000. */
const MOST_BYTES = 7_900;

/** A process shows the live calls of a workspace for the next seconds. */
export interface WallRequest {
  readonly workspaceId: string;
  /** The process, as a random name. */
  readonly by: string;
  /** Somebody began to watch in it just now, who lacks what each call is at. */
  readonly isNew: boolean;
}

/** An event of a live call, as JSON. `id`: the attempt and the number of the event in it. */
export interface WallEvent {
  readonly type: string;
  readonly callId: string;
  readonly id?: string;
}

/** What happened in live calls of a workspace that the process `from` carries. */
export interface WallNews {
  readonly workspaceId: string;
  readonly from: string;
  readonly events: readonly WallEvent[];
}

/** Asks the other processes for the events of the workspace's live calls. */
export async function requestWall(db: Db, request: WallRequest): Promise<void> {
  await sql`select pg_notify(${WALL_REQUESTS}, ${JSON.stringify(request)})`.execute(db);
}

/** The payloads of some news: as few as fit. An event that is too long for one is left out. */
export function payloadsOf({ workspaceId, from, events }: WallNews): string[] {
  const frame = JSON.stringify({ workspaceId, from, events: [] });
  const payloads: string[] = [];
  let part: string[] = [];
  let bytes = frame.length;
  const close = (): void => {
    if (part.length > 0) payloads.push(`${frame.slice(0, -2)}${part.join(',')}]}`);
    part = [];
    bytes = frame.length;
  };
  for (const event of events) {
    const text = JSON.stringify(event);
    const size = Buffer.byteLength(text) + 1;
    if (frame.length + size > MOST_BYTES) continue;
    if (bytes + size > MOST_BYTES) close();
    part.push(text);
    bytes += size;
  }
  close();
  return payloads;
}

/** Sends payloads of news in one statement: a NOTIFY takes a database-wide lock at commit. */
export async function sendWallNews(db: Db, payloads: readonly string[]): Promise<void> {
  await sql`select pg_notify(${WALL_NEWS}, payload) from unnest(${[...payloads]}::text[]) payload`.execute(
    db,
  );
}

/** The request in a payload; null: it is of a version that writes others. */
export function requestIn(payload: string): WallRequest | null {
  const { workspaceId, by, isNew = false } = (read(payload) ?? {}) as Partial<WallRequest>;
  return typeof workspaceId === 'string' && typeof by === 'string' ? { workspaceId, by, isNew } : null;
}

/** The news in a payload; null: it is of a version that writes others. */
export function newsIn(payload: string): WallNews | null {
  const { workspaceId, from, events } = (read(payload) ?? {}) as Partial<WallNews>;
  const isWhole = typeof workspaceId === 'string' && typeof from === 'string' && Array.isArray(events);
  return isWhole ? { workspaceId, from, events } : null;
}

function read(payload: string): unknown {
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return null;
  }
}
