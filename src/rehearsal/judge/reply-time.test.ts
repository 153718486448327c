import { turnSettings } from '@callwright/turns';
import { expect, it } from 'vitest';
import type { CallerSound } from '../play/rehearsal.ts';
import { meanReplyMs } from './reply-time.ts';

const settings = turnSettings({ callConfig: {}, introMessage: '', language: 'en-US', direction: 'inbound' });
const said = (text: string, from: number, to: number) => ({ text, from, to, cut: false });
const turn = (from: number, to: number, kind: CallerSound['kind'] = 'turn'): CallerSound => ({
  text: '',
  from,
  to,
  kind,
});

it('measures replies, without words that fill the wait and turns that nobody answers', () => {
  const agent = [
    said('Hello.', 0, 900),
    said('One moment, please.', 2_500, 3_500),
    said('Ten is free.', 4_000, 5_000),
    said('Goodbye.', 7_400, 8_000),
  ];
  const caller = [
    turn(1_000, 2_000),
    turn(4_500, 4_700, 'backchannel'),
    turn(5_500, 6_000),
    turn(6_500, 7_000),
    turn(9_000, 9_500),
  ];
  expect(meanReplyMs({ settings, agent, caller })).toBe((2_000 + 400) / 2);
  expect(meanReplyMs({ settings, agent: [], caller })).toBe(null);
});
