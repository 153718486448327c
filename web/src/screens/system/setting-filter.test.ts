import { expect, it } from 'vitest';
import { matches } from './setting-filter.ts';

const setting = { name: 'RTP_PORTS', description: 'UDP ports for audio.', source: 'default' };

it('finds a setting by words of its name and meaning', () => {
  expect(['', 'rtp_p', 'rtp ports', 'audio  rtp'].every((words) => matches(setting, words, false))).toBe(
    true,
  );
  expect(matches(setting, 'audio sip', false)).toBe(false);
});

it('leaves out defaults', () => {
  expect(matches(setting, '', true)).toBe(false);
  expect(matches({ ...setting, source: 'file' }, '', true)).toBe(true);
});
