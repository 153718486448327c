import { expect, test } from 'vitest';
import type { ByeHeaders } from './call-headers.ts';
import type { InviteRules } from './invite.ts';
import { header, type SipRequest } from './message.ts';
import { dial, inDialog, taken, US } from '../test/virtual-call.ts';

const rules: InviteRules = {
  addHeaders: [
    { name: 'X-Account', value: 'account' },
    { name: 'X-Ticket', value: 'ticket' },
  ],
  writeHeader: ({ value }, variables) => (value === 'account' ? '42' : (variables[value] ?? null)),
};
const added = (bye: SipRequest): (string | null)[] =>
  ['x-account', 'x-ticket'].map((name) => header(bye, name));

test('our BYE has the headers of the trunk, with the variables of the call', () => {
  const call = dial({ trunk: { rules }, request: { variables: { ticket: 'T-1' } } });
  call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
  call.leg.hangup('agent');
  call.net.scheduler.advance(10);
  expect(added(call.last('BYE'))).toEqual(['42', 'T-1']);
  expect(header(call.last('BYE'), 'reason')).toContain('Q.850');
});

test('so has that of an inbound call; a value that breaks its line is left out', () => {
  const byeOf = (ticket: string): (string | null)[] => {
    const call = taken((leg) => leg.answer('answer', { ticket }), { trunk: { rules } });
    call.within('ACK');
    call.legs[0]?.hangup('agent');
    call.net.scheduler.advance(10);
    const bye = call.peer.received.find(
      (message): message is SipRequest => message.kind === 'request' && message.method === 'BYE',
    );
    return bye === undefined ? [] : added(bye);
  };
  expect(byeOf('T-2')).toEqual(['42', 'T-2']);
  expect(byeOf('T-2\r\nX-Evil: 1')).toEqual(['42', null]);
});

const SAID = [
  { name: 'reason', value: 'Q.850;cause=34;text="No circuit available"' },
  { name: 'user-to-user', value: '636173653d3432;encoding=hex' },
  { name: 'x-account', value: '42' },
  { name: 'x-other', value: 'not listed' },
];

test('Reason, User-to-User and the listed headers of the BYE reach the user of an outbound call', () => {
  let said: ByeHeaders | undefined;
  const call = dial({
    trunk: { headerNames: ['X-Account'] },
    events: { onEnded: ({ bye }) => void (said = bye) },
  });
  call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
  call.peer.send(inDialog(call.last('INVITE'), 'BYE', 5, { headers: SAID }), US);
  call.net.scheduler.advance(10);
  expect(said).toEqual({
    reason: 'Q.850 34 No circuit available',
    userToUser: 'case=42',
    others: { 'x-account': '42' },
  });
});

test('those of the BYE of a caller reach the user of an inbound call', () => {
  let said: ByeHeaders | undefined;
  const call = taken((leg) => leg.answer('answer'), {
    trunk: { headerNames: ['X-Account'] },
    events: { onEnded: ({ bye }) => void (said = bye) },
  });
  call.within('ACK');
  call.within('BYE', { sequence: 8, headers: SAID });
  expect(said?.reason).toBe('Q.850 34 No circuit available');
  expect(said?.others).toEqual({ 'x-account': '42' });
});

test('a call that we end reports no BYE of the peer', () => {
  const ends: object[] = [];
  const call = dial({ events: { onEnded: (end) => void ends.push(end) } });
  call.answer(call.last('INVITE'), 200, { sdp: 'answer' });
  call.leg.hangup('agent');
  call.net.scheduler.advance(10);
  expect(ends).toHaveLength(1);
  expect(ends[0]).not.toHaveProperty('bye');
});
