import { expect, it } from 'vitest';
import { afterSending } from './after-sending.ts';

it('empties a field whose text was sent', () => {
  expect(afterSending('first', '')('first')).toBe('');
});

it('keeps what somebody typed after the request had left', () => {
  expect(afterSending('first', '')('second')).toBe('second');
  const sent = { name: 'first' };
  expect(afterSending<{ name: string } | null>(sent, null)({ ...sent })).toEqual(sent);
});
