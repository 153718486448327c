import { describe, expect, it } from 'vitest';
import type { DtmfDigit } from '@callwright/audio';
import { turnSettings } from '../settings.ts';
import { simulate } from '../../../../test/rigs/turn/simulate.ts';
import type { KeyRules } from './types.ts';

const rules: KeyRules = { enabled: true, digits: null, pauseMs: null, end: null, reset: null };

/** The caller's answers when these keys are pressed 300 ms apart after the first message. */
function answers(
  keys: string,
  change: Partial<KeyRules> | null,
  asksYesNo = false,
): { text: string; at: number }[] {
  const settings = turnSettings({
    callConfig: { idle_timeout_warning: 0, idle_timeout_end: 60 },
    introMessage: 'Hello.',
    ...(asksYesNo ? { introExpected: { kinds: ['yes_no'], phrases: [] } } : {}),
    language: 'en-US',
    direction: 'outbound',
    ...(change === null ? {} : { keys: { ...rules, ...change } }),
  });
  const acts = keys.split('').map((key, index) => ({ at: 3_000 + index * 300, presses: key as DtmfDigit }));
  const call = simulate({ settings, acts, untilMs: 20_000 });
  const generated = call.effects.filter(({ effect }) => effect.type === 'generate');
  return call.lines
    .filter((line) => line.role === 'caller')
    .map((line, index) => ({ text: line.text, at: generated[index]?.at ?? Number.NaN }));
}

describe('keys under the agent’s own rules', () => {
  it.each<[string, string, Partial<KeyRules> | null, { text: string; at: number }[]]>([
    ['end after a pause', '42', null, [{ text: '42', at: 4_800 }]],
    ['end after a pause of their own', '42', { pauseMs: 4_000 }, [{ text: '42', at: 7_300 }]],
    ['end at the key that ends them', '42#', { pauseMs: 4_000 }, [{ text: '42', at: 3_600 }]],
    ['have another key that ends them', '4#*', { end: '*', pauseMs: 4_000 }, [{ text: '4#', at: 3_600 }]],
    ['end when there are enough', '1234', { digits: 4, pauseMs: 9_000 }, [{ text: '1234', at: 3_900 }]],
    ['start anew', '12*34', { reset: '*', pauseMs: 2_000 }, [{ text: '34', at: 6_200 }]],
    ['are no answer after the reset key', '12*', { reset: '*' }, []],
    ['are not listened to', '12', { enabled: false }, []],
  ])('%s', (_what, keys, change, expected) => {
    expect(answers(keys, change)).toEqual(expected);
  });

  it.each<[string, string, Partial<KeyRules>, { text: string; at: number }[]]>([
    ['is one key at once', '1', { pauseMs: 4_000 }, [{ text: '1', at: 3_000 }]],
    ['with an end key may be more keys', '42#', { end: '#', pauseMs: 9_000 }, [{ text: '42', at: 3_600 }]],
    [
      'with an end key is one key after a pause',
      '1',
      { end: '#', pauseMs: 9_000 },
      [{ text: '1', at: 4_500 }],
    ],
  ])('the answer to a question for yes or no %s', (_what, keys, change, expected) => {
    expect(answers(keys, change, true)).toEqual(expected);
  });
});
