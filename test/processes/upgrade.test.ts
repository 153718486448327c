import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../../src/store/migrate.ts';
import { makeOwnerKey } from '../helpers/api/owner-key.ts';
import { ask, withoutTokens, type Answered } from '../helpers/api/upgrade-answers.ts';
import { edit } from '../helpers/sip/phone-service.ts';
import { whenOver } from '../helpers/service/scenario.ts';
import { campaignOf } from '../helpers/campaigns/service-campaign.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { callService, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';
import {
  appliedMigrations,
  readExpected,
  restore,
  startRecorder,
  type RecordedRequest,
  type Installation,
} from '../helpers/service/upgrade.ts';

/** Fields whose value changes with time, or has another definition, so that they differ from the recorded response. */
const CHANGED: readonly { readonly ask: RegExp; readonly field: string; readonly why: string }[] = [
  {
    ask: /\/webhooks\/signing-secret$/,
    field: 'retiring',
    why: 'a rotated secret signs for a week and then expires',
  },
];

const FIXTURE = 'installation-768efba6';
/** Topic of a request by the first segment of its path. */
const TOPICS: Readonly<Record<string, string>> = {
  agent: 'agents',
  analytics: 'analytics',
  calling: 'calls',
  campaign: 'campaigns',
  'campaign-rejects': 'refused rows',
  dnc: 'do-not-call lists',
  external: 'knowledge',
  'number-pool': 'number pools',
  recordings: 'recordings',
  webhooks: 'webhooks',
  workspace: 'the workspace',
};
const topicOf = ({ ask }: Answered): string => {
  const part = /\/(?:api\/v0\/)?([\w-]+)/.exec(ask)?.[1] ?? '';
  return TOPICS[part] ?? part;
};
const topics = [...new Set(readExpected(FIXTURE).answers.map(topicOf))];

/** Waiting individual calls by callee, with the outcome of their next attempt. */
const MADE_AFTER: Readonly<Record<string, object>> = {
  '+14155550002': { sub_status: 'BUSY' },
  '+14155550003': { sub_status: 'NO_ANSWER' },
  '+14155550004': { sub_status: 'VOICEMAIL_DETECTED' },
  // A requested callback, which is answered.
  '+14155550124': { answered_at: expect.any(String) },
  '+16175550007': { sub_status: 'USER_LEFT' },
};

let recorder: Awaited<ReturnType<typeof startRecorder>>;
let carrier: SipPeer;
let installation: Installation;
let service: Service;
beforeAll(async () => {
  recorder = await startRecorder();
  carrier = await startSipPeer();
  installation = await restore(FIXTURE, {
    receiver: recorder.address,
    carrier: `127.0.0.1:${carrier.port}`,
  });
  // Only the API role first, so that no queued work proceeds.
  service = await installation.start({ ROLES: 'api' });
  for (const key of Object.values(installation.expected.keys)) {
    await makeOwnerKey(installation.databaseUrl, key);
  }
});
afterAll(async () => {
  await service?.dispose();
  await installation?.dispose();
  await carrier?.stop();
  await recorder?.close();
});

/** The recorded response to the request whose path ends with `end`. */
const answered = (end: string): any =>
  installation.expected.answers.find(({ ask }) => ask.endsWith(end))?.answer;

describe('the API after an upgrade', () => {
  it('replaces the migrations of the development versions by the baseline and those after it', async () => {
    const all = (await readMigrations()).map(({ name }) => name);
    expect(await appliedMigrations(installation.databaseUrl)).toEqual(all);
  });

  it.each(topics)('returns unchanged responses about %s', async (topic) => {
    const { answers, keys } = installation.expected;
    for (const before of answers.filter((one) => topicOf(one) === topic)) {
      const { answer, ...question } = before;
      const now = await ask(service.url, keys[question.of ?? 'riverside'], question);
      const changed = CHANGED.filter((one) => one.ask.test(question.ask)).map(({ field }) => field);
      const known = changed.length === 0 ? answer : without(answer, changed);
      // A later version may add fields.
      expect
        .soft(withoutTokens(now), question.ask)
        .toMatchObject(withoutTokens({ status: before.status, answer: known }));
    }
  });

  it('counts the attempts of before by whether a person answered them', async () => {
    const { body } = await service.request('GET', '/api/v0/analytics/platform-analytics');
    expect(body.data).toMatchObject({ total_attempts: 21, answered_attempts: 9, answer_rate: 0.4286 });
  });

  it('gives a result to the calls that have ended, and to no other', async () => {
    const { body } = await service.request('GET', '/api/v0/calling/history?limit=200');
    const calls: any[] = body.calls;
    for (const { call_status: status, result } of calls) {
      expect([status, result !== null]).toEqual([
        status,
        ['completed', 'failed', 'error', 'cancelled'].includes(status),
      ]);
    }
    expect(new Set(calls.map(({ result }) => result))).toEqual(
      new Set([
        null,
        'Busy',
        'Callback requested',
        'Cancelled',
        'Confirmed: no',
        'Do not call',
        'Ended by the workspace',
        'No response',
        'Wrong number',
      ]),
    );
  });

  it('replays the stored response of an Idempotency-Key', async () => {
    const { kept } = installation.expected;
    const response = await fetch(`${service.url}${kept.path}`, {
      method: 'POST',
      headers: {
        'x-api-key': service.key,
        'content-type': 'application/json',
        'idempotency-key': kept.key,
      },
      body: JSON.stringify(kept.body),
    });
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect(await response.json()).toEqual(kept.answer);
  });
});

describe('queued work after an upgrade', () => {
  const requests = (path: string): RecordedRequest[] =>
    recorder.requests.filter(({ url }) => url.startsWith(path));
  const delivery = async (id: string): Promise<any> =>
    (await service.request('GET', `/api/v0/webhooks/deliveries/${id}`)).body.delivery;

  beforeAll(async () => {
    const { agents } = installation.expected;
    // Before a dialer starts, because it would defer a call outside its window to the next opening.
    const allDay = { call_start_time: '00:00', call_end_time: '00:00', days: null };
    await edit(service, agents.night, 'edit_call_config', { call_config: { call_time: allDay } });
    await service.end();
    service = await installation.start();
    carrier.target(service.sipPort);
  });

  it('dials retries, a callback and a call whose window is open now', async () => {
    const { calls: retries } = answered('/calling/history?limit=200&status=retry');
    const { calls: queued } = answered('/calling/history?limit=200&status=registered');
    const waiting = [...retries, ...queued].filter((call) => call.bulk_list_id === null);
    expect(new Set(waiting.map((call) => call.to_number))).toEqual(new Set(Object.keys(MADE_AFTER)));
    for (const { id, to_number: number } of waiting) {
      const before = answered(`/call-details?id=${id}&send_analysis=true`).data;
      const over = await whenOver(service, id);
      expect(over.attempts).toHaveLength(before.attempts.length + 1);
      expect(withoutTokens(over.attempts)).toMatchObject([
        ...withoutTokens(before.attempts),
        MADE_AFTER[number],
      ]);
    }
  });

  it('completes a paused campaign after its resume', async () => {
    const { paused } = installation.expected.campaigns;
    const body = { campaign_id: paused };
    expect((await service.request('PATCH', '/api/v0/campaign/resume', body)).status).toBe(200);
    const campaign = await eventually('the campaign to complete', async () => {
      const now = await campaignOf(service, paused);
      return now.campaign_status === 'completed' ? now : null;
    });
    expect(campaign).toMatchObject({
      total_count: 6,
      registered_count: 0,
      retry_count: 0,
      completed_count: 3,
      failed_count: 2,
      cancelled_count: 1,
    });
    const completed = await eventually('the delivery of campaign_completed', async () => {
      const bodies = requests('/campaigns/autumn').map(({ raw }) => JSON.parse(raw));
      return bodies.find((body) => body.event_type === 'campaign_completed') ?? null;
    });
    expect(completed).toMatchObject({ bulk_list_id: paused });
  });

  it('completes a campaign past its end time without dialling', async () => {
    const { scheduled } = installation.expected.campaigns;
    const campaign = await eventually('the campaign to end', async () => {
      const now = await campaignOf(service, scheduled);
      return now.campaign_status === 'completed' ? now : null;
    });
    expect(campaign).toMatchObject({ total_count: 2, cancelled_count: 2 });
  });

  it('delivers pending webhooks with their headers, signed with the same secret', async () => {
    const { secret } = answered('/webhooks/signing-secret');
    const { deliveries } = answered('/webhooks/deliveries?limit=200&state=pending');
    const sent = deliveries.filter((one: any) => one.callback_url.includes(recorder.address));
    expect(sent.length).toBeGreaterThan(1);
    for (const { delivery_id: id, event_id: eventId } of sent) {
      await eventually('the delivery', async () =>
        (await delivery(id)).state === 'delivered' ? true : null,
      );
      const request = recorder.requests.find(({ headers }) => headers['webhook-id'] === eventId);
      const signed = new Webhook(secret).verify(request?.raw ?? '', request?.headers as never);
      expect(signed).toMatchObject({ event_type: expect.any(String) });
    }
    const bearers = new Set(requests('/later').map(({ headers }) => headers.authorization));
    expect(bearers).toEqual(new Set(['Bearer secret-of-a-call', 'Bearer secret-of-a-test']));
    const { reminders } = installation.expected.agents;
    const subscribed = await eventually('an event that the agent subscribes', async () => {
      const events = requests('/hook').filter(({ raw }) => JSON.parse(raw).agent_id === reminders);
      return events[0] ?? null;
    });
    expect(subscribed.headers).toMatchObject({ authorization: 'Bearer secret-of-the-subscription' });
  });

  it('retries the delivery to an unreachable receiver', async () => {
    const { deliveries } = answered('/webhooks/deliveries?limit=200&state=pending');
    const away = deliveries.filter((one: any) => one.callback_url.endsWith('/waiting'));
    const [first] = away.filter((one: any) => one.attempt_count > 0);
    const tried = await eventually('one more attempt', async () => {
      const now = await delivery(first.delivery_id);
      return now.attempt_count > first.attempt_count ? now : null;
    });
    expect(tried).toMatchObject({ last_error: 'refused', last_status: null });
  });

  it('sends tool requests with the stored secrets', async () => {
    const [slots] = requests('/tools/slots');
    expect(slots?.headers).toMatchObject({ authorization: 'Bearer secret-of-the-slots' });
    expect(JSON.parse(slots?.raw ?? '')).toMatchObject({ name: 'Sam', api_key: 'key-of-the-slots' });
    const { calls } = answered('/calling/history?limit=200');
    const late = calls.find((call: any) => call.to_number === '+17145550007');
    const note = await eventually(
      'the note of the last call',
      async () => requests('/tools/notes').find(({ raw }) => JSON.parse(raw).call === late.id) ?? null,
    );
    expect(note.headers).toMatchObject({ authorization: 'Bearer secret-of-the-notes' });
    expect(JSON.parse(note.raw)).toMatchObject({ outcome: 'USER_LEFT' });
  });

  it('routes an inbound call to its agent', async () => {
    const talk = await callService(carrier, '+14155550189', installation.expected.inboundNumber);
    await eventually('the agent to speak', async () => (talk.soundFrames() > 20 ? true : null));
    talk.leg.hangup('normal');
    await talk.ended;
    const call = await eventually('the call to be over', async () => {
      const { body } = await service.request('GET', '/api/v0/calling/history?call_type=inbound');
      const [newest] = body.calls;
      return newest.from_number === '+14155550189' && newest.ended_at !== null ? newest : null;
    });
    expect(call).toMatchObject({
      agent_id: installation.expected.agents.desk,
      call_sub_status: 'USER_LEFT',
    });
  });

  it('balance and call costs agree', async () => {
    const costOf = (calls: readonly any[]): number =>
      calls.reduce((sum: number, call) => sum + call.call_cost, 0);
    const before = answered('GET /api/v0/workspace').workspace_info;
    const spentBefore = costOf(answered('/calling/history?limit=200').calls);
    const now = await eventually('nothing to be locked', async () => {
      const { workspace_info: info } = (await service.request('GET', '/api/v0/workspace')).body;
      return info.locked_credits === 0 ? info : null;
    });
    const { body } = await service.request('GET', '/api/v0/calling/history?limit=200');
    expect(costOf(body.calls)).toBeGreaterThan(spentBefore);
    expect(now.credits + costOf(body.calls)).toBe(before.credits + spentBefore);
  });
});

function without(answer: unknown, fields: readonly string[]): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value: unknown) => (fields.includes(name) ? undefined : value)),
  );
}
