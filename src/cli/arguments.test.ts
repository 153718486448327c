import { InvalidArgumentError } from 'commander';
import { expect, it } from 'vitest';
import { callCount, firstWord, portNumber, seconds } from './arguments.ts';

it.each([
  ['a port', portNumber, '1', '65535', '65536'],
  ['a number of calls', callCount, '1', '9999999', '10000000'],
  ['seconds of a call', seconds, '1', '3600', '3601'],
])('takes %s within its bounds, and nothing else', (_, parse, least, most, above) => {
  expect([parse(least), parse(most)]).toEqual([Number(least), Number(most)]);
  for (const text of [above, '0', '-1', '1.5', '1e3', '', ' 1', 'abc', '0x10'])
    expect(() => parse(text)).toThrow(InvalidArgumentError);
});

it('names the file of a key that it cannot read', () => {
  expect(() => firstWord('/nowhere/api-key.txt')).toThrow(/nowhere\/api-key\.txt/);
});
