import { expect, it } from 'vitest';
import type { CallerSound } from '../play/rehearsal.ts';
import { interactionOf, panelOf } from './interaction.ts';

const agent = (from: number, to: number, cut = false) => ({ text: '', from, to, cut });
const caller = (kind: CallerSound['kind'], from: number, to: number): CallerSound => ({
  text: '',
  kind,
  from,
  to,
});

it('counts replies, interruptions and murmurs of a call', () => {
  const call = interactionOf({
    agent: [agent(0, 2_000), agent(3_500, 5_400, true), agent(7_000, 9_000), agent(10_200, 11_000)],
    caller: [
      caller('turn', 2_500, 3_000),
      caller('interruption', 5_000, 6_000),
      caller('backchannel', 8_000, 8_300),
      caller('turn', 10_000, 10_500),
    ],
  });
  expect(call).toEqual({
    turns: 3,
    replyMs: [500, 1_000],
    interruptions: 1,
    yieldMs: [400],
    talkedOver: 1,
    murmurs: 1,
    spokeOn: 1,
  });
  expect(panelOf([call, call])).toEqual({
    responseRate: 2 / 3,
    responseMs: 750,
    yieldRate: 1,
    yieldMs: 400,
    agentInterruptionRate: 1 / 3,
    backchannelRate: 1,
  });
});

it('leaves out a turn after which the caller goes on itself, and says nothing about what did not happen', () => {
  const call = interactionOf({
    agent: [agent(5_000, 6_000)],
    caller: [caller('turn', 1_000, 2_000), caller('turn', 3_000, 4_000)],
  });
  expect(call).toMatchObject({ turns: 1, replyMs: [1_000] });
  expect(panelOf([])).toEqual({
    responseRate: null,
    responseMs: null,
    yieldRate: null,
    yieldMs: null,
    agentInterruptionRate: null,
    backchannelRate: null,
  });
});
