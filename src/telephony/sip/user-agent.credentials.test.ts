import { describe, expect, test } from 'vitest';
import { createAuthenticator } from './authenticator.ts';
import { createDigestServer } from './digest-server.ts';
import { header, type Header } from './message.ts';
import { dial } from '../../../test/helpers/virtual-call.ts';

describe('credentials', () => {
  const account = createAuthenticator({ username: 'u', password: 'secret' });
  const server = createDigestServer({ realm: 'r', now: () => 0 });
  const challenged = (status: number, stale = false): Header => ({
    name: status === 407 ? 'proxy-authenticate' : 'www-authenticate',
    value: server.challenge(stale),
  });

  test.each([401, 407])('%i is answered once, in a new transaction with the next CSeq', (status) => {
    const call = dial({ trunk: { authenticator: account } });
    const first = call.last('INVITE');
    call.answer(first, status, { headers: [challenged(status)] });
    const second = call.last('INVITE');
    expect(second.cseq.sequence).toBe(first.cseq.sequence + 1);
    expect(second.via[0]?.params.get('branch')).not.toBe(first.via[0]?.params.get('branch'));
    const name = status === 407 ? 'proxy-authorization' : 'authorization';
    const authorization = { name: 'authorization', value: header(second, name) ?? '' };
    const verdict = server.verify({ ...second, headers: [authorization] }, () => 'secret');
    expect(verdict).toEqual({ ok: true, username: 'u' });
    call.answer(second, 200, { sdp: 'answer' });
    expect(header(call.last('ACK'), name)).toBe(authorization.value);
    expect(call.log).toEqual(['answered answer']);
  });

  test('a second 401 is a wrong password, unless it says stale', () => {
    const wrong = dial({ trunk: { authenticator: account } });
    wrong.answer(wrong.last('INVITE'), 401, { headers: [challenged(401)] });
    wrong.answer(wrong.last('INVITE'), 401, { headers: [challenged(401)] });
    expect(wrong.heard('INVITE').length).toBe(2);
    expect(wrong.log).toEqual(['failed failed 401 false']);
    const stale = dial({ trunk: { authenticator: account } });
    stale.answer(stale.last('INVITE'), 401, { headers: [challenged(401)] });
    stale.answer(stale.last('INVITE'), 401, { headers: [challenged(401, true)] });
    expect(stale.heard('INVITE').length).toBe(3);
    stale.answer(stale.last('INVITE'), 401, { headers: [challenged(401, true)] });
    expect(stale.log).toEqual(['failed failed 401 false']);
  });

  test('a call that is no longer wanted does not answer the challenge', () => {
    const call = dial({ trunk: { authenticator: account } });
    call.leg.hangup('stopped');
    call.answer(call.last('INVITE'), 401, { headers: [challenged(401)] });
    expect(call.heard('INVITE').length).toBe(1);
    expect(call.log).toEqual(['failed cancelled 401 false']);
  });

  test('BYE and INFO answer challenges as well', () => {
    const call = dial({ trunk: { authenticator: account } });
    call.answer(call.last('INVITE'), 200, { sdp: 'a' });
    call.leg.sendInfoDtmf('5');
    call.net.scheduler.advance(10);
    call.answer(call.last('INFO'), 407, { headers: [challenged(407)] });
    expect(header(call.last('INFO'), 'proxy-authorization')).toContain('Digest');
    expect(call.last('INFO').body.toString()).toBe('Signal=5\r\nDuration=160\r\n');
    call.answer(call.last('INFO'), 200);
    const seen = call.heard('INFO').map((info) => info.cseq.sequence);
    call.leg.hangup('agent');
    call.net.scheduler.advance(10);
    expect(call.last('BYE').cseq.sequence).toBeGreaterThan(Math.max(...seen));
  });
});
