import { describe, expect, it } from 'vitest';
import { EMPTY_DRAFT, fromTemplate, offeredVariables, toRequest, type Draft } from './draft.ts';

describe('toRequest', () => {
  it('declares the variables of the texts, without those of every call', () => {
    const draft = {
      ...EMPTY_DRAFT,
      opening: 'Hello {{callee_name}}.',
      task: 'Confirm {{date}} at {{clinic}}.',
    };
    expect(toRequest(draft).custom_variables).toEqual(['date', 'clinic']);
  });

  it('offers what its texts may name, and declares no summary of the last call', () => {
    const draft = { ...EMPTY_DRAFT, task: 'Confirm {{date}}. Last time: {{previous_call_summary}}' };
    expect(toRequest(draft).custom_variables).toEqual(['date']);
    expect(offeredVariables(draft)).toEqual([
      'callee_name',
      'mobile_number',
      'date',
      'previous_call_summary',
    ]);
    expect(offeredVariables({ ...draft, type: 'inbound' })).toEqual(['date', 'previous_call_summary']);
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

  it('gives a writer no hours to call in', () => {
    expect(Object.keys(toRequest({ ...EMPTY_DRAFT, type: 'whatsapp' }))).not.toContain('call_config');
    expect(Object.keys(toRequest({ ...EMPTY_DRAFT, type: 'inbound' }))).toContain('call_config');
  });

  it('leaves out what is empty and optional', () => {
    const request = toRequest(EMPTY_DRAFT);
    expect(Object.keys(request)).not.toContain('faq');
    expect(Object.keys(request)).not.toContain('secondary_language');
    expect(toRequest({ ...EMPTY_DRAFT, secondLanguage: 'hi-IN' }).secondary_language).toBe('hi-IN');
  });
});

describe('fromTemplate', () => {
  it('fills the texts in, and declares the variables of the flow that a call brings', () => {
    const draft: Draft = { ...EMPTY_DRAFT, ...fromTemplate(EMPTY_DRAFT, 'order_status') };
    expect(draft).toMatchObject({ name: 'Order status', type: 'outbound', language: 'en-US' });
    expect(toRequest(draft).custom_variables).toEqual(['order_number', 'order_status', 'delivery_day']);
  });

  it('keeps a typed name and an English voice, and takes the voice of another language away', () => {
    const typed: Draft = { ...EMPTY_DRAFT, name: 'Rita', language: 'en-IN', voiceId: 'a' };
    expect({ ...typed, ...fromTemplate(typed, 'survey') }).toMatchObject({
      name: 'Rita',
      language: 'en-IN',
      voiceId: 'a',
    });
    const hindi: Draft = { ...EMPTY_DRAFT, language: 'hi-IN', voiceId: 'b' };
    expect(fromTemplate(hindi, 'survey')).toMatchObject({ language: 'en-US', voiceId: '' });
  });

  it('leaves a writer a writer', () => {
    expect(fromTemplate({ ...EMPTY_DRAFT, type: 'whatsapp' }, 'survey').type).toBe('whatsapp');
  });

  it('leaves the texts when the template is taken away', () => {
    expect(fromTemplate({ ...EMPTY_DRAFT, template: 'survey', opening: 'Hi.' }, '')).toEqual({
      template: '',
    });
  });
});
