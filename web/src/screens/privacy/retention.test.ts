import { expect, it } from 'vitest';
import { daysOf, shorter } from './retention.ts';

it('reads an empty field as no limit', () => {
  expect([daysOf(''), daysOf(' '), daysOf('30')]).toEqual([null, null, 30]);
});

it('names the rules that delete, also where there was no limit before', () => {
  const rules = {
    recording_days: 30,
    transcript_days: null,
    contact_days: null,
    test_days: 60,
    audit_days: 90,
  };
  expect(shorter(rules, rules)).toEqual([]);
  expect(shorter(rules, { ...rules, recording_days: null, audit_days: 91 })).toEqual([]);
  const less = { recording_days: 29, transcript_days: 3650, contact_days: 7, test_days: 59, audit_days: 90 };
  expect(shorter(rules, less)).toEqual(['recording_days', 'transcript_days', 'contact_days', 'test_days']);
});
