import { describe, expect, it } from 'vitest';
import type { ReferOutcome } from './call.ts';
import { EMPTY_BODY, type SipRequest } from './message.ts';
import { isAboutReferral, Referral, referHeaders, referTarget, reportedStatus } from './referral.ts';

const address = { displayName: null, uri: 'sip:a@b', params: new Map() };
const notify = (body: string, headers: Record<string, string> = {}): SipRequest => ({
  kind: 'request',
  method: 'NOTIFY',
  uri: 'sip:a@b',
  via: [],
  from: address,
  to: address,
  callId: 'x',
  cseq: { sequence: 1, method: 'NOTIFY' },
  headers: Object.entries({
    event: 'refer',
    'subscription-state': 'active;expires=60',
    'content-type': 'message/sipfrag;version=2.0',
    ...headers,
  }).map(([name, value]) => ({ name, value })),
  body: body === '' ? EMPTY_BODY : Buffer.from(body),
});

function referral(): { outcomes: ReferOutcome[]; referral: Referral; expire: () => void } {
  const outcomes: ReferOutcome[] = [];
  let expire = (): void => undefined;
  const made = new Referral(
    (outcome) => outcomes.push(outcome),
    (run) => {
      expire = run;
      return () => undefined;
    },
  );
  return { outcomes, referral: made, expire: () => expire() };
}

describe('a transfer by REFER', () => {
  it('reports the first final status of a NOTIFY, once', () => {
    const { outcomes, referral: r } = referral();
    r.answered(202);
    r.notified(notify('SIP/2.0 100 Trying\r\n'));
    r.notified(notify('SIP/2.0 180 Ringing\r\n'));
    expect(outcomes).toEqual([]);
    r.notified(notify('SIP/2.0 200 OK\r\n'));
    r.notified(notify('SIP/2.0 486 Busy Here\r\n'));
    r.receivedBye();
    expect(outcomes).toEqual([{ transferred: true, accepted: true, sipCode: 200, reason: 'OK' }]);
  });

  it.each<[string, (r: Referral, expire: () => void) => void, Partial<ReferOutcome>]>([
    [
      'fails when the REFER is refused',
      (r) => r.answered(603),
      { transferred: false, accepted: false, sipCode: 603 },
    ],
    [
      'fails without a response',
      (r) => r.answered(null),
      { transferred: false, accepted: false, sipCode: null },
    ],
    [
      'fails when the target is busy',
      (r) => r.notified(notify('SIP/2.0 486 Busy Here')),
      { transferred: false, accepted: true, sipCode: 486 },
    ],
    [
      'fails when the subscription ends without a status',
      (r) => r.notified(notify('', { 'subscription-state': 'terminated;reason=noresource' })),
      { transferred: false, accepted: true },
    ],
    ['fails at its timeout', (_r, expire) => expire(), { transferred: false, reason: 'transfer timed out' }],
    ['fails on BYE before acceptance', (r) => r.receivedBye(), { transferred: false }],
    [
      'succeeds on BYE after acceptance',
      (r) => {
        r.answered(202);
        r.receivedBye();
      },
      { transferred: true },
    ],
  ])('%s', (_name, happen, outcome) => {
    const { outcomes, referral: r, expire } = referral();
    happen(r, expire);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject(outcome);
  });

  it('targets a number in the trunk domain or a SIP URI', () => {
    expect(referTarget('+14155550111', 'carrier.example:5080')).toBe('sip:+14155550111@carrier.example:5080');
    expect(referTarget('sip:desk@pbx.example', 'carrier.example')).toBe('sip:desk@pbx.example');
    expect(referHeaders('sip:x@y', 'sip:me@us')).toEqual([
      { name: 'refer-to', value: '<sip:x@y>' },
      { name: 'referred-by', value: '<sip:me@us>' },
    ]);
  });

  it('accepts only sipfrag bodies of the refer event', () => {
    expect(isAboutReferral(notify('', { event: 'refer;id=2' }))).toBe(true);
    expect(isAboutReferral(notify('', { event: 'message-summary' }))).toBe(false);
    expect(reportedStatus(notify('SIP/2.0 200 OK', { 'content-type': 'text/plain' }))).toBeNull();
    expect(reportedStatus(notify('HTTP/1.1 200 OK'))).toBeNull();
    expect(reportedStatus(notify('SIP/2.0 999 Odd'))).toBeNull();
  });
});
