import { detect } from './detect/detect.ts';
import { storyOf } from './detect/story.ts';
import { interactionOf } from './judge/interaction.ts';
import { judgeCall } from './judge/judge-call.ts';
import { meanReplyMs } from './judge/reply-time.ts';
import type { JudgedCall } from './judge/tally.ts';
import { playCall, type RehearsedAgent } from './play/play-call.ts';
import type { PlayedCall } from './play/rehearsal.ts';
import type { Timing } from './play/timing.ts';
import { seedOf } from './draw.ts';
import type { Scenario } from './scenario/document.ts';

export interface RunToPlay {
  /** The agent of each scenario, and the scenario; at least one. */
  readonly parts: readonly { readonly agent: RehearsedAgent; readonly scenario: Scenario }[];
  readonly seed: number;
  readonly timing: Timing;
}

/** One call of a run: its scenario and its seed follow from its number alone, so that any call can be played again. */
export async function rehearse(
  { parts, seed, timing }: RunToPlay,
  call: number,
): Promise<{ readonly played: PlayedCall; readonly judged: JudgedCall }> {
  const scenario = call % parts.length;
  const part = parts[scenario]!;
  const own = seedOf(seed, call);
  const played = await playCall({ ...part, seed: own, timing });
  const { failure } = played;
  const alarms = detect(storyOf(played.settings, played.events));
  const verdicts = failure === null ? judgeCall(part.scenario.expect, played, alarms) : [];
  return {
    played,
    judged: {
      scenario,
      call,
      seed: own,
      verdicts,
      alarms,
      replyMs: meanReplyMs(played),
      interaction: interactionOf(played),
      failure,
    },
  };
}
