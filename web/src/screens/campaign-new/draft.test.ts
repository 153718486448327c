import { expect, it } from 'vitest';
import { apiTime, emptyDraft, toForm } from './draft.ts';
import { variableName } from './variable-names.ts';

const WINDOW = {
  call_start_time: '09:00',
  call_end_time: '20:00',
  timezone: 'Asia/Kolkata',
  slots: null,
  use_callee_timezone: false,
};
const file = new File(['Mobile Number\n'], 'list.csv');

it('writes times as the API does', () => {
  expect(apiTime('2026-01-05T09:30')).toBe('05/01/2026, 09:30');
});

it('leaves out what was not filled in, and a window like the assistant’s', () => {
  const form = toForm(
    emptyDraft(WINDOW),
    'agent',
    file,
    { mobile_number: 'Phone', callee_name: '' },
    WINDOW,
    null,
  );
  expect(Object.fromEntries(form)).toEqual({
    agent_id: 'agent',
    variables_map: '{"mobile_number":"Phone"}',
    call_config:
      '{"call_retry_config":{"retry_count":2,"retry_busy":30,"retry_not_picked":30,"retry_failed":30}}',
    remove_invalid_rows: 'false',
    file,
  });
  const draft = { ...emptyDraft(WINDOW), windowEnd: '21:00', startAt: '2026-01-05T09:30', name: ' May ' };
  const own = toForm(draft, 'agent', file, {}, WINDOW, { name: 'reminder', language: 'en_US' });
  expect(own.get('campaign_name')).toBe('May');
  expect(own.get('template')).toBe('{"name":"reminder","language":"en_US"}');
  expect(own.get('campaign_start_time')).toBe('05/01/2026, 09:30');
  expect(JSON.parse(own.get('call_config') as string)).toMatchObject({
    call_time: { call_start_time: '09:00', call_end_time: '21:00' },
  });
});

it('names the placeholders of a template by their place', () => {
  expect(['mobile_number', 'body_2', 'header_1', 'button_1', 'visit_date'].map(variableName)).toEqual([
    'Phone number',
    '{{2}} of the text',
    '{{1}} of the heading',
    'End of the address of button 1',
    'visit date',
  ]);
});
