import { expect, it } from 'vitest';
import { findPeople, type Called } from './palette-people.ts';

const call = (id: string, name: string, number: string, type = 'outbound'): Called => ({
  call_id: id,
  call_type: type,
  callee_name: name,
  from_number: type === 'inbound' ? number : '+14155550100',
  to_number: type === 'inbound' ? '+14155550100' : number,
});
const CALLS = [
  call('c1', 'Mary Moore', '+14155550123'),
  call('c2', 'Alice Moore', '+14155550124'),
  call('c3', 'Mary Moore', '+14155550123'),
  call('c4', '', '+919876543210', 'inbound'),
  call('c5', 'Moritz Vale', '+4930123456'),
  call('c6', '', '', 'webcall'),
];
const found = (text: string): string[] =>
  findPeople(CALLS, text).map(({ target }) => ('href' in target ? target.href : ''));

it('finds people by a part of their name, each once with the latest of their calls, first names first', () => {
  expect(found('mo')).toEqual(['/calls/c5', '/calls/c1', '/calls/c2']);
  expect(found(' MARY moore ')).toEqual(['/calls/c1']);
  expect(findPeople(CALLS, 'alice')).toEqual([
    { name: 'Alice Moore', kind: '+14155550124', target: { href: '/calls/c2' }, role: 'viewer' },
  ]);
  expect(found('nobody')).toEqual([]);
});

it('finds people by a part of their number, also those who called', () => {
  expect(found('415 555-0124')).toEqual(['/calls/c2']);
  expect(findPeople(CALLS, '+91 98')).toEqual([
    { name: '+919876543210', target: { href: '/calls/c4' }, role: 'viewer' },
  ]);
  // The number of the workspace is nobody's.
  expect(found('+1 415 555 0100')).toEqual([]);
});

it('finds at most five, and nobody by a single letter', () => {
  const many = Array.from({ length: 9 }, (_, index) => call(`c${index}`, 'Asha', `+1415555012${index}`));
  expect(findPeople(many, 'asha')).toHaveLength(5);
  expect(findPeople(many, 'a')).toEqual([]);
});
