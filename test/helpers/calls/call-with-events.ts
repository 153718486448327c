import { newId } from '../../../src/shared/ids.ts';
import type { Db } from '../../../src/store/database.ts';
import type { CallStatus } from '../../../src/store/schema.ts';

interface EndedCall {
  readonly workspaceId: string;
  readonly callId: string;
  readonly inbound: boolean;
  readonly from: string;
  readonly to: string;
  readonly status: CallStatus;
  readonly at: Date;
}

/** Inserts two events of an ended call, one delivered and one due. */
export async function tellOfCall(db: Db, call: EndedCall): Promise<void> {
  const { workspaceId, callId: id, inbound, from, to, status, at } = call;
  const body = {
    call_id: id,
    call_type: inbound ? 'inbound' : 'outbound',
    from_number: from,
    to_number: to,
    custom_args_values: { pet: 'petcanary' },
    transcript: [{ user: 'saidcanary' }],
    tool_call_logs: [{ args: 'toolcanary' }],
    platform_analysis: { summary: 'analysiscanary' },
    client_analysis: { pet: 'petcanary' },
    recording_url: 'http://x/recordings/x.wav',
    call_cost: 2,
    status,
  };
  for (const [n, state] of (['delivered', 'due'] as const).entries()) {
    const eventId = newId();
    const { seq } = await db
      .insertInto('events')
      .values({
        workspace_id: workspaceId,
        id: eventId,
        call_id: id,
        dedup: `event ${n}`,
        event_type: 'call_completed',
        body: JSON.stringify(body),
        occurred_at: at,
      })
      .returning('seq')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('deliveries')
      .values({
        workspace_id: workspaceId,
        id: newId(),
        event_id: eventId,
        call_id: id,
        event_seq: seq,
        event_type: 'call_completed',
        target: 'POST http://x.test/?q=petcanary',
        host: 'x.test',
        url: 'http://x.test/?q=petcanary',
        method: 'POST',
        headers: '{}',
        state,
        due_at: at,
        attempts: JSON.stringify([{ attempt: 1, status: 500, body: 'answercanary' }]),
        created_at: at,
      })
      .execute();
  }
}
