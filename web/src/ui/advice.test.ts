import { expect, it } from 'vitest';
import { adviceFor } from './advice.ts';

it('says what to do where the message of a failure does not', () => {
  expect(adviceFor(403, 'ROLE_TOO_LOW')).toContain('Ask an owner');
  expect(adviceFor(404, 'CALL_NOT_FOUND')).toContain('Go back to the list');
  expect(adviceFor(429, '')).toContain('Wait');
  for (const status of [500, 502, 503]) expect(adviceFor(status, '')).toContain('request id');
});

it('leaves messages alone that name the invalid field, the conflict or the lost connection', () => {
  expect([400, 422, 409, 403, 0].map((status) => adviceFor(status, 'OTHER'))).toEqual(
    Array.from({ length: 5 }, () => null),
  );
});
