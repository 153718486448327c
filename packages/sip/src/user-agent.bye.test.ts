import { expect, test } from 'vitest';
import type { InviteRules } from './invite.ts';
import { header, type SipRequest } from './message.ts';
import { dial, taken } from '../test/virtual-call.ts';

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
