import { newId } from '../../../src/shared/ids.ts';
import type { CallStatus } from '../../../src/store/schema.ts';
import type { Tenant, TestApi } from '../api/api.ts';
import { tellOfCall } from './call-with-events.ts';
import { packedFixture } from '../sip/replays.ts';

/** Default callee of these calls. */
export const PERSON = '+14155551234';
/** Values that occur in this person's calls only. */
export const CANARIES = [
  'Zebulon',
  'petcanary',
  'saidcanary',
  'toolcanary',
  'analysiscanary',
  'feedbackcanary',
  'answercanary',
  'sipcanary',
  PERSON,
];

export interface LivedCall {
  id: string;
  workspaceId: string;
}

export interface LivedCallOptions {
  number?: string;
  inbound?: boolean;
  status?: CallStatus;
  endedAt?: number;
  callback?: boolean;
}

/** Inserts a complete call: record, recordings of two attempts, events, deliveries, a stored response. */
export async function insertLivedCall(
  { db, clock }: Pick<TestApi, 'db' | 'clock'>,
  { workspaceId }: Pick<Tenant, 'workspaceId'>,
  agent: { agentId: string; versionId: string },
  options: LivedCallOptions = {},
): Promise<LivedCall> {
  const { number = PERSON, inbound = false, status = 'completed' } = options;
  const id = newId();
  const at = new Date(options.endedAt ?? clock.now());
  const [from, to] = inbound ? [number, '+14155550100'] : ['+14155550100', number];
  await db
    .insertInto('calls')
    .values({
      workspace_id: workspaceId,
      id,
      agent_id: agent.agentId,
      version_id: agent.versionId,
      call_type: inbound ? 'inbound' : 'outbound',
      from_number: from,
      to_number: to,
      callee_name: 'Zebulon',
      args: JSON.stringify({ pet: 'petcanary' }),
      callback: options.callback === true ? JSON.stringify({ url: 'http://x.test/?q=petcanary' }) : null,
      status,
      sub_status: 'AGENT_ENDED',
      attempt: 2,
      dialed_at: at,
      cost: 2_000_000,
      created_at: at,
      updated_at: at,
      ended_at: status === 'ongoing' ? null : at,
      duration_ms: 60_000,
    })
    .execute();
  await db
    .insertInto('call_attempts')
    .values(
      [1, 2].map((attempt) => ({
        workspace_id: workspaceId,
        call_id: id,
        attempt,
        node_id: newId(),
        status: 'ended' as const,
        claimed_at: at,
        to_number: inbound ? null : number,
        sip_messages: `${at.getTime()}\n0>INVITE\tsipcanary`,
        cost: 1_000_000,
      })),
    )
    .execute();
  const path = (attempt: number): string => `${workspaceId}/${id}-${attempt}.wav`;
  await db
    .insertInto('call_records')
    .values({
      workspace_id: workspaceId,
      call_id: id,
      transcript: JSON.stringify([{ role: 'caller', text: 'saidcanary', startedAt: at.getTime() }]),
      tool_log: JSON.stringify([{ name: 'x', args: { v: 'toolcanary' }, result: null, at: 1 }]),
      latency: '[]',
      platform_analysis: JSON.stringify({ summary: 'analysiscanary' }),
      client_analysis: JSON.stringify({ pet: 'petcanary' }),
      event_log: packedFixture('booking'),
      feedback: JSON.stringify({ rating: 2, comment: 'feedbackcanary', at: at.toISOString() }),
      recording_path: path(2),
      recording_state: 'stored',
      recording_ms: 60_000,
      recording_bytes: 1000,
      updated_at: at,
    })
    .execute();
  await db
    .insertInto('recording_files')
    .values(
      [1, 2].map((attempt) => ({
        workspace_id: workspaceId,
        call_id: id,
        attempt,
        path: path(attempt),
        state: 'kept' as const,
        due_at: at,
        created_at: at,
      })),
    )
    .execute();
  await tellOfCall(db, { workspaceId, callId: id, inbound, from, to, status, at });
  await db
    .insertInto('idempotency_keys')
    .values({
      workspace_id: workspaceId,
      key: id,
      route: 'POST /api/v0/calling/outbound/individual',
      body_hash: 'x',
      status: 200,
      response: JSON.stringify({
        data: { call_id: id, custom_args_values: { pet: 'petcanary', mobile_number: number } },
      }),
      created_at: at,
    })
    .execute();
  return { id, workspaceId };
}
