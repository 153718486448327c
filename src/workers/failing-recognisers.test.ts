import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallFault } from '../voice/conversation.ts';
import { NO_USE, type VendorUse } from '../voice/measures.ts';
import { FailingRecognisers } from './failing-recognisers.ts';

const fault = (vendor: string, more: Partial<CallFault> = {}): CallFault => ({
  part: 'stt',
  vendor,
  kind: 'timeout',
  status: null,
  message: '',
  effect: 'switched',
  at: 0,
  ...more,
});
const heard = (vendor: string, model: string | null = null): VendorUse => ({
  ...NO_USE,
  part: 'stt',
  vendor,
  model,
  audioMs: 1000,
});

describe('a recogniser', () => {
  it('is named once it failed in three calls in a row, with the reason of the last fault', () => {
    const calls = new FailingRecognisers();
    expect(calls.ended({ faults: [fault('vosk')] })).toBeNull();
    expect(calls.ended({ faults: [fault('vosk')], usage: [heard('vosk'), heard('offline')] })).toBeNull();
    expect(calls.list()).toEqual([]);
    const named = { vendor: 'vosk', kind: 'key', calls: 3 };
    expect(calls.ended({ faults: [fault('vosk', { kind: 'key' })] })).toEqual(named);
    expect(calls.list()).toEqual([named]);
    expect(calls.ended({ faults: [fault('vosk')] })).toBeNull();
    expect(calls.list()).toEqual([{ vendor: 'vosk', kind: 'timeout', calls: 4 }]);
  });

  it('is no longer named after a call that it heard without a fault', () => {
    const calls = new FailingRecognisers();
    for (let call = 0; call < 5; call++) calls.ended({ faults: [fault('vosk')] });
    calls.ended({ usage: [heard('offline')] });
    expect(calls.list()).toHaveLength(1);
    calls.ended({ usage: [heard('vosk')] });
    expect(calls.list()).toEqual([]);
  });

  it('of this machine is not excused by its phrases, but by its words', () => {
    const calls = new FailingRecognisers();
    for (let call = 0; call < 3; call++)
      calls.ended({ faults: [fault('offline-words')], usage: [heard('offline')] });
    calls.ended({ usage: [heard('offline')] });
    expect(calls.list()).toMatchObject([{ vendor: 'offline-words' }]);
    calls.ended({ usage: [heard('offline', 'vosk-small-en-us')] });
    expect(calls.list()).toEqual([]);
  });

  it('is not named for faults of voices and models', () => {
    const calls = new FailingRecognisers();
    for (let call = 0; call < 5; call++)
      calls.ended({ faults: [fault('openai', { part: 'tts' }), fault('openai', { part: 'llm' })] });
    expect(calls.list()).toEqual([]);
  });

  it('has as many failed calls as came since the last good one, whatever other recognisers do', () => {
    const call = fc.record({ a: fc.boolean(), b: fc.boolean() });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), (history) => {
        const calls = new FailingRecognisers();
        for (const { a, b } of history)
          calls.ended({
            faults: [...(a ? [fault('a')] : []), ...(b ? [fault('b')] : [])],
            usage: [heard('a'), heard('b')],
          });
        for (const vendor of ['a', 'b'] as const) {
          const lastGood = history.findLastIndex((each) => !each[vendor]);
          const row = history.length - 1 - lastGood;
          expect(calls.list().find((each) => each.vendor === vendor)?.calls ?? 0).toBe(row < 3 ? 0 : row);
        }
      }),
    );
  });
});
