import { expect, it } from 'vitest';
import { emptyDraft, type Window } from './draft.ts';
import { stepsOf, type Filled } from './steps.ts';

const WINDOW: Window = {
  call_start_time: '09:00',
  call_end_time: '20:00',
  timezone: 'Asia/Kolkata',
  slots: null,
  use_callee_timezone: false,
};
const EMPTY: Filled = {
  agentName: 'Reminder',
  isWritten: false,
  hasTemplate: false,
  isRead: false,
  fileName: null,
  required: ['mobile_number'],
  map: {},
  draft: emptyDraft(WINDOW),
  window: WINDOW,
  isRefused: false,
};
const READ: Filled = {
  ...EMPTY,
  isRead: true,
  fileName: 'visits.csv',
  map: { mobile_number: 'Phone' },
};
const shown = (filled: Filled): readonly string[] =>
  stepsOf(filled).map(({ name, summary, state }) => `${state}: ${name}${summary && ` (${summary})`}`);

it('leaves the hours for later until a file is read', () => {
  expect(shown(EMPTY)).toEqual([
    'done: Who calls (Reminder)',
    'open: List',
    'later: When it calls',
    'open: Check the list',
  ]);
  expect(shown(READ)).toEqual([
    'done: Who calls (Reminder)',
    'done: List (visits.csv)',
    'done: When it calls (09:00 to 20:00)',
    'open: Check the list',
  ]);
});

it('has a list that is complete only with every column that is needed', () => {
  const [, list] = stepsOf({ ...READ, required: ['mobile_number', '1'] });
  expect(list?.state).toBe('open');
});

it('needs the template of a campaign that writes', () => {
  expect(shown({ ...READ, isWritten: true })[0]).toBe('open: Who writes (Reminder)');
  expect(shown({ ...READ, isWritten: true, hasTemplate: true })[0]).toBe('done: Who writes (Reminder)');
});

it('has hours that are complete only with numbers within their bounds', () => {
  const when = (change: Partial<Filled['draft']>, isWritten = false): string | undefined =>
    stepsOf({ ...READ, isWritten, draft: { ...READ.draft, ...change } })[2]?.state;
  expect(when({ windowEnd: '' })).toBe('open');
  expect(when({ retries: '11' })).toBe('open');
  expect(when({ busy: '' })).toBe('open');
  // A message is never busy, and its form does not ask.
  expect(when({ busy: '' }, true)).toBe('done');
});

it('names each window of the assistant, the whole day, and the hours of the campaign instead', () => {
  const slots = [
    { start: '09:00', end: '12:00' },
    { start: '14:00', end: '18:00' },
  ];
  const hours = (change: Partial<Filled['draft']>): string | undefined =>
    stepsOf({ ...READ, window: { ...WINDOW, slots }, draft: { ...READ.draft, ...change } })[2]?.summary;
  expect(hours({})).toBe('09:00 to 12:00, 14:00 to 18:00');
  expect(hours({ windowEnd: '19:00' })).toBe('09:00 to 19:00');
  expect(hours({ windowStart: '00:00', windowEnd: '00:00' })).toBe('All day');
});

it('says that rows were refused', () => {
  expect(shown({ ...READ, isRefused: true }).at(-1)).toBe('open: Check the list (Rows to correct)');
});
