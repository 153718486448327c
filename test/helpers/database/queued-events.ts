import { newId } from '../../../src/shared/ids.ts';
import type { Db } from '../../../src/store/database.ts';
import { insertEvents } from '../../../src/store/webhooks/events.ts';
import type { JsonObject } from '../../../src/store/schema.ts';

/** Queues one event per call to an address, due at once. */
export async function queueEvents(
  db: Db,
  workspaceId: string,
  callIds: readonly string[],
  event: { readonly at: Date; readonly url?: string; readonly dedup?: string; readonly body?: JsonObject },
): Promise<void> {
  const { at, url = 'https://example.com/hook', dedup = 'once', body = {} } = event;
  const events = callIds.map((callId) => ({
    event: { workspaceId, callId, eventId: newId(), eventType: 'call_completed', dedup, body, at },
    targets: [{ url, method: 'POST', headers: {} }],
  }));
  await db.transaction().execute((tx) => insertEvents(tx, events));
}
