import { DETECTORS, type Alarm, type Detector, type DetectorName } from './alarm.ts';
import { earlyHangUp } from './hang-up.ts';
import { misheardNumber } from './number.ts';
import { promiseWithoutTool } from './promise.ts';
import { loop, repeatedQuestion } from './repetition.ts';
import { deadAir, longMonologue, talkOver } from './silence.ts';
import type { Story } from './story.ts';

const OF: Readonly<Record<DetectorName, Detector>> = {
  dead_air: deadAir,
  loop,
  talk_over: talkOver,
  repeated_question: repeatedQuestion,
  long_monologue: longMonologue,
  promise_without_tool: promiseWithoutTool,
  misheard_number: misheardNumber,
  early_hang_up: earlyHangUp,
};

/** What the detectors find in a call, without a model: at most one alarm of each, in time. Pure. */
export const detect = (story: Story): Alarm[] =>
  DETECTORS.flatMap((detector) => {
    const found = OF[detector](story);
    return found === null ? [] : [{ detector, ...found }];
  }).toSorted((a, b) => a.at - b.at);
