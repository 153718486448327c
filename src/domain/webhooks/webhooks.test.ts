import type { EventSubscription } from '../../store/json/agent-version.ts';
import { describe, expect, it } from 'vitest';
import { afterAttempt, mayBeSet } from './delivery-rules.ts';
import { envelope } from '../../wire/events/call.ts';
import { newSigningSecret, signatureHeaders, signingKey } from './signature.ts';
import { receiversOf, targetsOf } from './subscriptions.ts';

const subscription = (eventType: string[], callbackUrl: string): EventSubscription => ({
  eventType,
  callbackUrl,
  methodType: 'POST',
  headers: {},
});

describe('subscriptions', () => {
  it('of two for one event the later one counts', () => {
    const list = [
      subscription(['call_started', 'call_completed'], 'https://a.example/'),
      subscription(['call_completed'], 'https://b.example/'),
    ];
    expect(targetsOf('call_completed', list).map((target) => target.url)).toEqual(['https://b.example/']);
    expect(targetsOf('call_started', list).map((target) => target.url)).toEqual(['https://a.example/']);
    expect(targetsOf('call_ringing', list)).toEqual([]);
    expect(targetsOf('call_started', undefined)).toEqual([]);
  });

  it('and callbacks pass on which statuses count as success', () => {
    const list = [{ ...subscription(['call_started'], 'https://a.example/'), success: '2xx' as const }];
    expect(targetsOf('call_started', list)).toMatchObject([{ success: '2xx' }]);
    const callback = { url: 'https://b.example/', headers: {}, success: '2xx' as const };
    expect(receiversOf('call_completed', [], { campaignId: null, callback })).toMatchObject([
      { success: '2xx' },
    ]);
  });

  it('and a callback with equivalent URLs are one receiver', () => {
    const list = [subscription(['call_completed'], 'https://Example.com')];
    const callback = { url: 'https://example.com/', headers: {} };
    for (const campaignId of [null, 'campaign']) {
      const target = { url: 'https://example.com/', method: 'POST', headers: {} };
      expect(receiversOf('call_completed', list, { campaignId, callback })).toEqual([
        campaignId === null ? target : { ...target, campaignId },
      ]);
    }
  });
});

const answered = (status: number | null) => ({
  status,
  isBlocked: false,
  isDisabled: false,
  isAny2xx: false,
});

describe('delivery rules', () => {
  it('follow the interface', () => {
    expect(afterAttempt(1, answered(500), 0)).toEqual({ state: 'due', dueAt: 10_000 });
    expect(afterAttempt(2, answered(null), 5)).toEqual({ state: 'due', dueAt: 60_005 });
    expect(afterAttempt(3, answered(204), 0)).toEqual({ state: 'due', dueAt: 120_000 });
    expect(afterAttempt(4, answered(500), 0)).toEqual({ state: 'dead' });
    expect(afterAttempt(4, answered(200), 0)).toEqual({ state: 'delivered' });
  });
  it.each([
    [200, true],
    [201, true],
    [204, true],
    [299, true],
    [199, false],
    [300, false],
    [500, false],
    [null, false],
  ])('of a 2xx receiver count the status %s as success: %s', (status, isDelivered) => {
    const { state } = afterAttempt(4, { ...answered(status), isAny2xx: true }, 0);
    expect(state).toBe(isDelivered ? 'delivered' : 'dead');
  });
  it('give an inner address up at once', () => {
    expect(afterAttempt(1, { ...answered(null), isBlocked: true }, 0)).toEqual({ state: 'dead' });
  });
  it('leave a delivery to a disabled receiver to the recovery at once', () => {
    expect(afterAttempt(1, { ...answered(null), isDisabled: true }, 0)).toEqual({ state: 'dead' });
  });
  it('reserve framing headers', () => {
    expect(['Host', 'content-length', 'Transfer-Encoding', 'authorization', 'x-a'].filter(mayBeSet)).toEqual([
      'authorization',
      'x-a',
    ]);
  });
});

describe('signature', () => {
  it('equals the published example of Standard Webhooks', () => {
    const headers = signatureHeaders(
      [signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330_000,
      '{"test": 2432232314}',
    );
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    expect(newSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });
});

describe('envelope', () => {
  it('has exactly the keys of the contract, which take precedence', () => {
    const body = envelope(
      'call_started',
      'event',
      {
        workspaceId: 'w',
        id: 'c',
        campaignId: null,
        agentId: 'a',
        agentName: 'Asha',
        versionId: 'v',
        callType: 'outbound',
        fromNumber: '+1',
        toNumber: '+2',
        args: {},
        status: 'ongoing',
        subStatus: 'QUEUED',
        retriesUsed: 0,
        credits: 1.5,
        sipCallId: null,
      },
      new Date(0),
      [],
      { status: 'forged', extra: 1 },
    );
    expect(Object.keys(body).sort()).toEqual(
      [
        'agent_id',
        'agent_name',
        'bulk_list_id',
        'call_cost',
        'call_id',
        'call_sid',
        'call_type',
        'custom_args_values',
        'event_id',
        'event_type',
        'extra',
        'from_number',
        'occurred_at',
        'retry_count',
        'status',
        'sub_status',
        'to_number',
        'tool_call_logs',
        'version_id',
        'workspace_id',
      ].sort(),
    );
    expect(body).toMatchObject({ status: 'ongoing', call_sid: 'c', call_cost: 1.5 });
  });
});
