import type { Answer } from '../../api/client.ts';

export type Rules = Answer<'getRetention'>;
export const RULES = [
  'recording_days',
  'transcript_days',
  'contact_days',
  'test_days',
  'audit_days',
] as const;
export type Rule = (typeof RULES)[number];

/** What each rule deletes, in the middle of a sentence. */
export const KEPT: Readonly<Record<Rule, string>> = {
  recording_days: 'recordings',
  transcript_days: 'transcripts, tool logs and analyses',
  contact_days: 'numbers, names and values of people',
  test_days: 'results of test cases',
  audit_days: 'entries of the audit log',
};

/** The days of a field; an empty field has no limit. */
export const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** The rules that keep less than before, so that saving them deletes. */
export const shorter = (from: Rules, to: Rules): Rule[] =>
  RULES.filter((rule) => (to[rule] ?? Infinity) < (from[rule] ?? Infinity));
