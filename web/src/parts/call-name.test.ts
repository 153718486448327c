import { expect, it } from 'vitest';
import { callName, numberOf, ownNumber, personNumber } from './call-name.ts';

const OWN = '+14155550100';
const PERSON = '+14155550123';
const outbound = { call_type: 'outbound', from_number: OWN, to_number: PERSON };
const inbound = { call_type: 'inbound', from_number: PERSON, to_number: OWN };

it('names every call, also one of the browser, which has neither name nor number', () => {
  const call = { callee_name: '', agent_name: null, call_type: 'webcall', from_number: '', to_number: '' };
  expect(callName({ ...call, ...outbound, callee_name: 'Asha' })).toBe('Asha');
  expect(callName({ ...call, ...outbound })).toBe(PERSON);
  expect(callName({ ...call, agent_name: 'Rita' })).toBe('Browser call, Rita');
  expect(callName(call)).toBe('Browser call');
  expect([numberOf(''), numberOf(PERSON)]).toEqual(['Browser call', PERSON]);
});

it('names an inbound call by who called, not by the number of the workspace', () => {
  expect(callName({ ...inbound, callee_name: '', agent_name: null })).toBe(PERSON);
  expect([outbound, inbound].map(personNumber)).toEqual([PERSON, PERSON]);
  expect([outbound, inbound].map(ownNumber)).toEqual([OWN, OWN]);
});
