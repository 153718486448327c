import { detect } from '../../../../src/rehearsal/detect/detect.ts';
import type { Alarm } from '../../../../src/rehearsal/detect/alarm.ts';
import { storyOf, type Story } from '../../../../src/rehearsal/detect/story.ts';
import { planCall } from '../plan.ts';
import { scoreCall } from '../score.ts';
import { SCRIPTS } from '../scripts.ts';
import type { ScoredCall } from '../totals.ts';
import { holdVirtualCall, type Engines } from './hold-call.ts';

export const ENGINES: readonly Engines[] = (['turns', 'words', 'utterances'] as const).flatMap((ears) =>
  (['silero', 'light'] as const).map((vad) => ({ ears, vad })),
);

/** A call of the suite, as its phone and the detectors have it. */
export interface VirtualCall extends ScoredCall {
  readonly engines: Engines;
  readonly story: Story;
  readonly alarms: readonly Alarm[];
}

/** Holds every script once with these engines, one after the other. */
export async function holdSuite(engines: Engines, seed: number): Promise<VirtualCall[]> {
  const calls: VirtualCall[] = [];
  for (const script of SCRIPTS) {
    const plan = planCall(script, seed);
    const { phone, log } = await holdVirtualCall(plan, engines);
    const story = storyOf(
      log.settings,
      log.entries.map(({ event }) => event),
    );
    const { id, language } = script;
    const score = scoreCall(plan, phone);
    calls.push({ id, language, seed, engines, score, story, alarms: detect(story) });
  }
  return calls;
}
