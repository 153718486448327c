import { expect, it } from 'vitest';
import { callName, numberOf } from './call-name.ts';

it('names every call, also one of the browser, which has neither name nor number', () => {
  const call = { callee_name: '', to_number: '', agent_name: null };
  expect(callName({ ...call, callee_name: 'Asha', to_number: '+14155550123' })).toBe('Asha');
  expect(callName({ ...call, to_number: '+14155550123' })).toBe('+14155550123');
  expect(callName({ ...call, agent_name: 'Rita' })).toBe('Browser call, Rita');
  expect(callName(call)).toBe('Browser call');
  expect([numberOf(''), numberOf('+14155550123')]).toEqual(['Browser call', '+14155550123']);
});
