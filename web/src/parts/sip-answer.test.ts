import { expect, it } from 'vitest';
import { sipAnswer } from './sip-answer.ts';

it('says the code of a carrier once', () => {
  expect(sipAnswer(503, '503 Service Unavailable')).toBe('503 Service Unavailable');
  expect(sipAnswer(503, 'Service Unavailable')).toBe('503 Service Unavailable');
  expect(sipAnswer(404, null)).toBe('404');
  expect(sipAnswer(null, 'no answer')).toBe('no answer');
  expect(sipAnswer(null, null)).toBe('');
});
