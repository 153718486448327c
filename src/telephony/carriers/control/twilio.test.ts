import { describe, expect, it } from 'vitest';
import type { CarrierTrunk } from '../carrier-trunk.ts';
import { twilioControl } from './twilio.ts';

const TRUNK: CarrierTrunk = {
  id: 't',
  name: 'twilio',
  kind: 'twilio',
  uri: 'https://api.twilio.com',
  username: 'AC1',
  authUsername: null,
  application: null,
  signingKey: null,
  password: 'secret',
};
const ORDER = {
  from: '+14155550100',
  to: '+14155550188',
  streamUrl: 'wss://calls.example.com/carrier/p.token',
  statusUrl: 'https://calls.example.com/carriers/t/status/a-1',
  answerUrl: '',
  ringSeconds: 45,
  token: 'p.token',
  attemptId: 'a-1',
};
const answer = (status: number, body: object) =>
  twilioControl.readPlaced({ ok: true, status, body: Buffer.from(JSON.stringify(body)) });
const failed = (failure: string) => twilioControl.readPlaced({ ok: false, failure, detail: 'x' });

describe('the API of Twilio', () => {
  it('is asked to place a call whose stream and reports come to us', () => {
    const { url, method, headers, body } = twilioControl.place(TRUNK, ORDER);
    const form = new URLSearchParams(body ?? '');
    expect([method, url, headers['authorization']]).toEqual([
      'POST',
      'https://api.twilio.com/2010-04-01/Accounts/AC1/Calls.json',
      `Basic ${Buffer.from('AC1:secret').toString('base64')}`,
    ]);
    expect(Object.fromEntries(form)).toMatchObject({ To: ORDER.to, From: ORDER.from, Timeout: '45' });
    expect(form.get('Twiml')).toContain(
      '<Connect><Stream url="wss://calls.example.com/carrier/p.token"/></Connect>',
    );
    expect(form.get('StatusCallback')).toBe(ORDER.statusUrl);
    expect(form.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed']);
  });

  it('says by its answer whether the call exists, is refused, never left, or may exist', () => {
    expect(answer(201, { sid: 'CA1' })).toEqual({ type: 'accepted', carrierCallId: 'CA1' });
    expect(answer(400, { code: 21_211, message: 'The To number +1 is not valid' })).toEqual({
      type: 'refused',
      failure: 'invalid_number',
      reason: 'the carrier answered 400 (error 21211)',
    });
    expect(answer(401, { code: 20_003 })).toMatchObject({ type: 'refused', failure: 'failed' });
    expect(
      [answer(500, {}), answer(201, {}), failed('timeout'), failed('network')].map(({ type }) => type),
    ).toEqual(['lost', 'lost', 'lost', 'lost']);
    expect(
      [failed('dns'), failed('refused'), failed('blocked'), failed('tls')].map(({ type }) => type),
    ).toEqual(['unsent', 'unsent', 'unsent', 'unsent']);
  });

  it('ends a call and connects its far side with a number or a SIP URI', () => {
    expect(twilioControl.end(TRUNK, 'CA1')[0]).toMatchObject({
      url: 'https://api.twilio.com/2010-04-01/Accounts/AC1/Calls/CA1.json',
      body: 'Status=completed',
    });
    const dial = (target: string) =>
      new URLSearchParams(
        twilioControl.transfer(TRUNK, 'CA1', {
          target,
          callerId: '+14155550100',
          ringSeconds: 20,
          documentUrl: '',
        })?.body ?? '',
      ).get('Twiml');
    expect(dial('+14155550199')).toContain(
      '<Dial callerId="+14155550100" timeout="20"><Number>+14155550199</Number></Dial>',
    );
    expect(dial('sip:desk@example.com?x="&<')).toContain('<Sip>sip:desk@example.com?x=&quot;&amp;&lt;</Sip>');
  });

  it('names the setting that a refused account needs', () => {
    const read = (status: number, body: object) =>
      twilioControl.readAccount({ ok: true, status, body: Buffer.from(JSON.stringify(body)) })?.field ?? null;
    expect([
      read(200, { status: 'active' }),
      read(200, { status: 'suspended' }),
      read(401, {}),
      read(404, {}),
      read(500, {}),
      twilioControl.readAccount({ ok: false, failure: 'dns', detail: 'x' })?.field,
    ]).toEqual([null, 'username', 'password', 'username', 'uri', 'uri']);
  });
});
