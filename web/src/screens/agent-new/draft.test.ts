import { describe, expect, it } from 'vitest';
import { EMPTY_DRAFT, toRequest } from './draft.ts';

describe('toRequest', () => {
  it('declares the variables of the texts, without those of every call', () => {
    const draft = {
      ...EMPTY_DRAFT,
      opening: 'Hello {{callee_name}}.',
      task: 'Confirm {{date}} at {{clinic}}.',
    };
    expect(toRequest(draft).custom_variables).toEqual(['date', 'clinic']);
  });

  it('calls in the zone of the reader, on the clock of the called person, until the form says otherwise', () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const time = toRequest(EMPTY_DRAFT).call_config?.call_time;
    expect(time).toEqual({
      call_start_time: '09:00',
      call_end_time: '21:00',
      timezone: timeZone === 'Asia/Calcutta' ? 'Asia/Kolkata' : timeZone,
      use_callee_timezone: true,
    });
    const other = toRequest({ ...EMPTY_DRAFT, zone: ' Europe/Berlin', isByCallee: false }).call_config
      ?.call_time;
    expect(other).toMatchObject({ timezone: 'Europe/Berlin', use_callee_timezone: false });
  });

  it('leaves out what is empty and optional', () => {
    const request = toRequest(EMPTY_DRAFT);
    expect(Object.keys(request)).not.toContain('faq');
    expect(Object.keys(request)).not.toContain('secondary_language');
    expect(toRequest({ ...EMPTY_DRAFT, secondLanguage: 'hi-IN' }).secondary_language).toBe('hi-IN');
  });
});
