import { describe, expect, it } from 'vitest';
import type { CarrierTrunk } from '../carrier-trunk.ts';
import { plivoControl, vobizControl } from './plivo.ts';

const TRUNK: CarrierTrunk = {
  id: 't',
  name: 'plivo',
  kind: 'plivo',
  uri: 'https://api.plivo.com',
  username: 'MA1',
  authUsername: null,
  application: null,
  signingKey: null,
  password: 'secret',
};
const ORDER = {
  from: '+14155550100',
  to: '+14155550188',
  streamUrl: 'wss://calls.example.com/carrier/p.token',
  answerUrl: 'https://calls.example.com/carriers/t/answer/p.token',
  statusUrl: 'https://calls.example.com/carriers/t/status/a-1',
  ringSeconds: 45,
  token: 'p.token',
  attemptId: 'a-1',
};
const answer = (status: number, body: object) =>
  plivoControl.readPlaced({ ok: true, status, body: Buffer.from(JSON.stringify(body)) });

describe('the API of Plivo', () => {
  it('is asked to place a call whose document and reports come from us', () => {
    const { url, method, headers, body } = plivoControl.place(TRUNK, ORDER);
    expect([method, url, headers['authorization']]).toEqual([
      'POST',
      'https://api.plivo.com/v1/Account/MA1/Call/',
      `Basic ${Buffer.from('MA1:secret').toString('base64')}`,
    ]);
    expect(JSON.parse(body ?? '')).toEqual({
      from: '14155550100',
      to: '14155550188',
      answer_url: ORDER.answerUrl,
      answer_method: 'POST',
      ring_url: ORDER.statusUrl,
      ring_method: 'POST',
      hangup_url: ORDER.statusUrl,
      hangup_method: 'POST',
      ring_timeout: 45,
    });
  });

  it('is reached under another path and with other headers at Vobiz', () => {
    const { url, headers } = vobizControl.place({ ...TRUNK, uri: 'https://api.vobiz.ai' }, ORDER);
    expect([url, headers['x-auth-id'], headers['x-auth-token'], headers['authorization']]).toEqual([
      'https://api.vobiz.ai/api/v1/Account/MA1/Call/',
      'MA1',
      'secret',
      undefined,
    ]);
  });

  it('says by its answer whether the call exists, is refused, or may exist', () => {
    expect(answer(201, { message: 'call fired', request_uuid: 'u-1' })).toEqual({
      type: 'accepted',
      carrierCallId: 'u-1',
    });
    expect(answer(400, { error: 'invalid to' })).toEqual({
      type: 'refused',
      failure: 'failed',
      reason: 'the carrier answered 400',
    });
    expect([answer(500, {}).type, answer(201, {}).type]).toEqual(['lost', 'lost']);
    expect(plivoControl.readPlaced({ ok: false, failure: 'dns', detail: 'x' }).type).toBe('unsent');
  });

  it('ends a call that is up and one that rings, and gives a call to a document', () => {
    expect(plivoControl.end(TRUNK, 'u-1').map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE https://api.plivo.com/v1/Account/MA1/Call/u-1/',
      'DELETE https://api.plivo.com/v1/Account/MA1/Request/u-1/',
    ]);
    const order = {
      target: '+1',
      callerId: '+2',
      ringSeconds: 3,
      documentUrl: 'https://calls.example.com/d',
    };
    const request = plivoControl.transfer(TRUNK, 'u-1', order);
    expect([request?.url, JSON.parse(request?.body ?? '')]).toEqual([
      'https://api.plivo.com/v1/Account/MA1/Call/u-1/',
      { legs: 'aleg', aleg_url: order.documentUrl, aleg_method: 'POST' },
    ]);
  });
});
