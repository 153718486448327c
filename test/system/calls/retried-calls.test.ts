import { describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { readDetails } from '../../../src/domain/calls/details.ts';
import { DEFAULT_PRICES } from '../../../src/vendors/prices.ts';
import { toCallDetails } from '../../../src/http/calls/wire.ts';
import { stopQueued } from '../../../src/domain/calls/stop-queued.ts';
import { openTestLinks } from '../../helpers/database/links.ts';
import { conversationResult, settlingOfFile } from '../../helpers/calls/settling-node.ts';

// A call whose first attempt reached a voicemail box and whose last attempt is not answered.
const settling = settlingOfFile();

const WAIT_MS = 3_600_000;
const RETRIED = {
  callConfig: {
    call_retry_config: { retry_count: 1, retry_busy: 60, retry_not_picked: 60, retry_failed: 60 },
  },
};

/** A call whose first attempt talked for 61 seconds and which waits for its retry. */
async function talkedOnce(transcript = conversationResult().transcript): Promise<Claimed> {
  const { ground } = settling;
  const call = await settling.answered({}, RETRIED);
  const at = ground.clock.now();
  ground.clock.advance(61_000);
  const said = transcript.map((line) => ({
    ...line,
    startedAt: at + line.startedAt,
    endedAt: at + line.endedAt,
  }));
  const settled = await settling.settle(call, {
    end: { kind: 'answered', reason: 'VOICEMAIL_DETECTED' },
    result: conversationResult({ reason: 'VOICEMAIL_DETECTED', transcript: said }),
  });
  expect(settled).toMatchObject({ settled: true, status: 'retry' });
  return call;
}

async function lastEventOf(): Promise<any> {
  const events = await settling.events();
  const last = events.filter((event) => event.event_type === 'all_processing_completed');
  expect(last).toHaveLength(1);
  expect(events.at(-1)).toEqual(last[0]);
  return last[0].body;
}
const whole = (call: Claimed) => ({
  transcript: [{ bot: 'Hello' }, { user: 'Yes?' }],
  call_duration: 61,
  first_utterance_seconds: 0.64,
  overall_latency_seconds: 0.75,
  recording_url: `http://localhost/recordings/${call.callId}.wav`,
  recording_duration: 61,
  platform_analysis: { status: 'analyzed', call_disconnect_reason: 'VOICEMAIL_DETECTED' },
});

describe('all_processing_completed of a call with a conversation in an earlier attempt', () => {
  it('has the conversation when the last attempt is not answered; line offsets stay those of the recording', async () => {
    const { ground, deps } = settling;
    const call = await talkedOnce();
    ground.clock.advance(WAIT_MS);
    const again = await settling.claimed();
    await dial(deps, again, { sipCallId: 'sip-2' });
    ground.clock.advance(20_000);
    await settling.settle(again, {
      end: { kind: 'not_answered', failure: 'no_answer' },
      hangupBy: null,
      sipCode: 480,
    });
    await settling.analyse();
    expect(await lastEventOf()).toMatchObject(whole(call));

    const link = await openTestLinks(settling.deps.clock);
    const found = await readDetails({ db: ground.db, link }, call.workspaceId, call.callId);
    const details = toCallDetails(found, DEFAULT_PRICES, true);
    const lines: { audio_offset_ms: number }[] = JSON.parse(details.transcription_url ?? '[]');
    expect(lines.map((line) => line.audio_offset_ms)).toEqual([0, 1000]);
    expect(details).toMatchObject({ platform_analysis: { status: 'analyzed' } });
  });

  it('has the conversation when the call is terminated while it waits', async () => {
    const { deps } = settling;
    const call = await talkedOnce();
    const scope = { callIds: [call.callId] };
    await stopQueued(deps, call.workspaceId, null, scope, { subStatus: 'USER_TERMINATED', withdraw: true });
    await settling.analyse();
    expect(await lastEventOf()).toMatchObject({ ...whole(call), status: 'cancelled' });
  });

  it('has the conversation when the callee is added to the do-not-call list before the last attempt', async () => {
    const { ground, deps } = settling;
    const call = await talkedOnce();
    ground.clock.advance(WAIT_MS);
    const again = await settling.claimed();
    const { to_number: number } = await ground.db
      .selectFrom('calls')
      .select('to_number')
      .where('id', '=', call.callId)
      .executeTakeFirstOrThrow();
    await ground.db
      .insertInto('do_not_call')
      .values({ workspace_id: call.workspaceId, number, reason: 'asked', created_at: new Date() })
      .execute();
    expect(await dial(deps, again, { sipCallId: 'sip-2' })).toEqual({
      go: false,
      why: 'do_not_call',
      stored: { status: 'failed', subStatus: 'DND_SKIPPED' },
    });
    await settling.analyse();
    expect(await lastEventOf()).toMatchObject({ ...whole(call), sub_status: 'DND_SKIPPED' });
  });

  it('has the recording of a conversation without any transcript', async () => {
    const call = await talkedOnce([]);
    const scope = { callIds: [call.callId] };
    await stopQueued(settling.deps, call.workspaceId, null, scope, {
      subStatus: 'USER_TERMINATED',
      withdraw: true,
    });
    await settling.analyse();
    expect(await lastEventOf()).toMatchObject({
      ...whole(call),
      transcript: [],
      platform_analysis: null,
    });
  });
});
