// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { data, ok, refused, section, TIME, UUID, type Statement, type World } from './statement.ts';

const call = section('Call');
const states = section('States and transitions');

const detail = (name: string, expected: unknown) => async (w: World) => {
  expect(await w.details(await w.insertCall())).toHaveProperty(name, expected);
};

export const CALL_RECORDS: readonly Statement[] = [
  call.prove(
    "Shape A: `{status: 'success', data: {call_id, call_direction, call_status, initiated_at, agent_id, custom_args_values}, message}`.",
    async (w) => {
      expect(ok(await w.place()).body).toMatchObject({
        status: 'success',
        data: {
          call_id: expect.stringMatching(UUID),
          call_direction: 'outbound',
          call_status: 'registered',
          initiated_at: expect.stringMatching(TIME),
          agent_id: w.agentId,
          custom_args_values: expect.any(Object),
        },
        message: expect.any(String),
      });
    },
  ),
  call.prove('`custom_args_values` echoes the sent values plus `mobile_number`.', async (w) => {
    expect(data(ok(await w.place({ custom_args_values: { day: 'Tue' } }))).custom_args_values).toEqual({
      day: 'Tue',
      mobile_number: '+14155550002',
    });
  }),
  call.prove('Call details (`GET /calling/call-details`) returns `{status, data}`.', async (w) => {
    const answer = ok(await w.get(`/calling/call-details?id=${await w.insertCall()}`));
    expect(Object.keys(answer.body).sort()).toEqual(['data', 'status']);
  }),
  call.prove('`id`: call ID', detail('id', expect.stringMatching(UUID))),
  call.prove('`call_direction`: string', detail('call_direction', 'outbound')),
  call.prove('`call_status`: see the states table', detail('call_status', 'completed')),
  call.prove(
    '`call_sub_status`: string; the reason detail of the call',
    detail('call_sub_status', 'USER_LEFT'),
  ),
  call.prove('`from_number`, `to_number`: E.164 strings', async (w) => {
    expect(await w.details(await w.insertCall())).toMatchObject({
      from_number: w.tenant.number,
      to_number: '+14155550002',
    });
  }),
  call.prove('`callee_name`: string', detail('callee_name', 'Priya')),
  call.prove('`agent_id`: string', detail('agent_id', expect.stringMatching(UUID))),
  call.prove(
    '`transcription_url`: a JSON-encoded string holding the transcript (a list); may be null',
    async (w) => {
      const id = await w.insertCall();
      expect((await w.details(id)).transcription_url).toBeNull();
      const at = new Date(w.api.clock.now());
      await w.api.db
        .insertInto('call_records')
        .values({
          workspace_id: w.tenant.workspaceId,
          call_id: id,
          transcript: JSON.stringify([
            { role: 'agent', text: 'Hi', startedAt: 0, endedAt: 1, interrupted: false, by: 'speech' },
          ]),
          platform_analysis: JSON.stringify({ summary: 's' }),
          client_analysis: JSON.stringify({ key: 1 }),
          updated_at: at,
        })
        .execute();
      expect(JSON.parse((await w.details(id)).transcription_url)).toMatchObject([{ bot: 'Hi' }]);
    },
  ),
  call.prove(
    '`platform_analysis`, `client_analysis`: present with `send_analysis=true` only after analysis has run; omitted until then',
    async (w) => {
      const id = await w.insertCall();
      const before = await w.details(id, '&send_analysis=true');
      expect([before.platform_analysis, before.client_analysis]).toEqual([undefined, undefined]);
      await w.api.db
        .insertInto('call_records')
        .values({
          workspace_id: w.tenant.workspaceId,
          call_id: id,
          platform_analysis: JSON.stringify({ summary: 's' }),
          client_analysis: JSON.stringify({ key: 1 }),
          updated_at: new Date(w.api.clock.now()),
        })
        .execute();
      expect(await w.details(id, '&send_analysis=true')).toMatchObject({
        platform_analysis: { summary: 's' },
        client_analysis: { key: 1 },
      });
      expect(await w.details(id)).not.toHaveProperty('platform_analysis');
    },
  ),
  call.prove('Phone numbers are sent in E.164 format with country code.', async (w) => {
    for (const mobile_number of ['4155550002', '(415) 555-0002', 'x', '+1']) {
      refused(await w.place({ mobile_number }), 422, 'mobile_number');
    }
  }),

  states.prove('`registered`: queued, waiting to be processed', async (w) => {
    expect(data(ok(await w.place())).call_status).toBe('registered');
  }),
  states.elsewhere(
    'it stays here while the calling window is closed or while a call limit holds it',
    'test/system/scheduler/claim.test.ts > stops at the limits of workspace, number and trunk and marks waiting calls LIMIT_REACHED',
  ),
  states.elsewhere(
    '`ongoing`: in progress',
    'test/system/scheduler/claim.test.ts > starts a due call, journals its attempt and locks its money',
  ),
  states.elsewhere(
    '`retry`: will be retried according to the retry configuration',
    'test/system/calls/settle.test.ts > retries after the delay of its outcome up to the limit, and charges nothing',
  ),
  states.elsewhere(
    '`completed`: the recipient answered and the call reached a terminal completed state',
    'test/system/calls/settle.test.ts > charges started pulses, unlocks the rest, stores the record and appends events in order',
  ),
  states.elsewhere(
    '`failed`: retries exhausted or the provider failed the call',
    'test/system/calls/settle.test.ts > does not retry an invalid number',
  ),
  states.elsewhere(
    '`error`: unexpected terminal error',
    'src/domain/calls/attempt/next-step.test.ts > never retry a crash, an opt-out, a conversation or an invalid number',
  ),
  states.elsewhere(
    '`cancelled`: cancelled before completion',
    'test/system/calls/settle.test.ts > adds an opted-out number to the do-not-call list and cancels every queued call to it',
  ),
  states.prove('a new individual call starts as `registered` or `ongoing`', async (w) => {
    expect(['registered', 'ongoing']).toContain(data(ok(await w.place())).call_status);
  }),
  states.elsewhere(
    'retries of a call outside the window are pushed to the next opening',
    'test/system/calls/settle.test.ts > moves a retry outside the window to the next opening',
  ),
  states.prove(
    'one is active (`active_agent_version_id`), and when an A/B test is live (`is_ab_live`) several versions exist',
    async (w) => {
      const { agentId } = await w.agent();
      ok(await w.edit(agentId, 'create_version', {}));
      const record = await w.record(agentId);
      const ids = Object.keys(record.version_details);
      expect(ids).toHaveLength(2);
      expect(ids).toContain(record.active_agent_version_id);
      const versions = ids.map((version_id) => ({ version_id, call_traffic: 50 }));
      ok(await w.edit(agentId, 'set_ab_test', { versions }));
      expect((await w.record(agentId)).is_ab_live).toBe(true);
    },
  ),
];
