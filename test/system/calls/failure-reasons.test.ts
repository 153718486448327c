import { describe, expect, it } from 'vitest';
import type { AttemptEnd, Ending } from '../../../src/domain/calls/attempt/next-step.ts';
import { endQueued } from '../../../src/domain/calls/attempt/end-queued.ts';
import { readDetails } from '../../../src/domain/calls/details.ts';
import { toCallDetails } from '../../../src/http/calls/wire.ts';
import { failureReason } from '../../../src/shared/failure-reason.ts';
import { DEFAULT_PRICES } from '../../../src/vendors/prices.ts';
import { openTestLinks } from '../../helpers/database/links.ts';
import { conversationResult, settlingOfFile } from '../../helpers/calls/settling-node.ts';
import { createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

const settling = settlingOfFile();
const ONCE = { callConfig: { call_retry_config: { retry_count: 0 } } };

const detailsOf = async (workspaceId: string, callId: string) => {
  const link = await openTestLinks(settling.deps.clock);
  const found = await readDetails({ db: settling.ground.db, link }, workspaceId, callId);
  return toCallDetails(found, DEFAULT_PRICES, false);
};
const eventBody = async (type: string): Promise<any> =>
  (await settling.events()).findLast(({ event_type }) => event_type === type)?.body;

const unanswered = (failure: Extract<AttemptEnd, { kind: 'not_answered' }>['failure']): AttemptEnd => ({
  kind: 'not_answered',
  failure,
});
const conversation = { kind: 'answered', reason: 'FAILED' } as const;

/** Every way in which an attempt ends as FAILED or as an error. */
const ENDS: readonly [name: string, code: string, ending: Partial<Ending>][] = [
  [
    'the carrier answers 503',
    'CARRIER_REFUSED',
    { end: unanswered('failed'), sipCode: 503, reason: 'Busy here' },
  ],
  [
    'the sides share no codec',
    'MEDIA_REFUSED',
    { end: unanswered('failed'), sipCode: 488, reason: 'no codec' },
  ],
  ['the trunk stays silent', 'TRUNK_SILENT', { end: unanswered('failed'), reason: 'no response from trunk' }],
  [
    'the trunk cannot be reached',
    'TRUNK_UNREACHABLE',
    { end: unanswered('failed'), reason: 'trunk unreachable' },
  ],
  [
    'no RTP port is free',
    'NO_MEDIA',
    { end: unanswered('failed'), sipCode: 503, reason: 'no media is free' },
  ],
  [
    'its thread dies while it rings',
    'WORKER_LOST',
    { end: unanswered('failed'), reason: 'the call worker ended' },
  ],
  ['SIP ends it in a new way', 'SIGNALLING_FAILED', { end: unanswered('failed'), reason: 'glare' }],
  ['a tool before the call fails', 'PRE_CALL_TOOL_FAILED', { end: unanswered('pre_call_failed') }],
  ['its process dies', 'PROCESS_LOST', { end: { kind: 'crashed' }, reason: 'node lost' }],
  ['the voice is mute', 'VOICE_FAILED', { end: conversation, failure: failureReason('VOICE_FAILED') }],
  [
    'its thread dies in the talk',
    'WORKER_LOST',
    { end: conversation, failure: failureReason('WORKER_LOST') },
  ],
  ['it fails without a cause', 'CONVERSATION_CUT', { end: conversation, reason: 'FAILED' }],
];

describe('an attempt that fails has a reason in details and events', () => {
  it.each(ENDS)('when %s: %s', async (_name, code, ending) => {
    const call = await settling.answered({}, ONCE);
    const isTalk = ending.end?.kind === 'answered';
    await settling.settle(call, {
      sipCode: null,
      ...ending,
      result: isTalk ? conversationResult({ reason: 'FAILED' }) : null,
    });
    const details = await detailsOf(call.workspaceId, call.callId);
    expect(details.failure?.code).toBe(code);
    expect(details.failure?.message).toMatch(/^[A-Z].{30,}/);
    expect(details.attempts[0]?.failure).toEqual(details.failure);
    expect(details.attempts[0]?.reason).not.toBe('FAILED');
    expect((await eventBody('call_completed')).failure).toEqual(details.failure);
    // A recording that may still be repaired delays the last event by two minutes.
    settling.ground.clock.advance(130_000);
    await settling.analyse();
    expect((await eventBody('all_processing_completed')).failure).toEqual(details.failure);
  });

  it('has none when the caller hung up, was busy, or the call was cancelled', async () => {
    for (const end of [
      { kind: 'answered', reason: 'USER_LEFT' } as const,
      unanswered('busy'),
      unanswered('cancelled'),
    ]) {
      const call = await settling.answered({}, ONCE);
      await settling.settle(call, { end, reason: 'Busy Here' });
      const { failure, attempts } = await detailsOf(call.workspaceId, call.callId);
      expect([failure, attempts[0]?.failure]).toEqual([null, null]);
      expect((await eventBody('call_completed')).failure).toBeNull();
    }
  });

  it('says it for a call that ends in the queue', async () => {
    const { db, clock } = settling.ground;
    const world = await createWorkspace(db);
    const [callId = ''] = await queueCalls(db, world, 1, ONCE);
    const end = { subStatus: 'FAILED', status: 'unable' } as const;
    await db.transaction().execute((tx) => endQueued(tx, world.id, callId, end, new Date(clock.now())));
    const { failure, call_status } = await detailsOf(world.id, callId);
    expect([call_status, failure?.code]).toEqual(['error', 'AGENT_VERSION_MISSING']);
    expect((await eventBody('call_completed')).failure).toEqual(failure);
  });
});
