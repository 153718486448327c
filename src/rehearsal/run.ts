import { LINE_REFUSALS, type CallerLines } from '../domain/rehearsals/caller-lines.ts';
import { detect } from './detect/detect.ts';
import { storyOf } from './detect/story.ts';
import { interactionOf } from './judge/interaction.ts';
import { judgeCall } from './judge/judge-call.ts';
import { meanReplyMs } from './judge/reply-time.ts';
import type { JudgedCall, LineCounts } from './judge/tally.ts';
import { playCall, type RehearsedAgent } from './play/play-call.ts';
import type { PlayedCall, PlayedLines } from './play/rehearsal.ts';
import type { Timing } from './play/timing.ts';
import { seedOf } from './draw.ts';
import type { Scenario } from './scenario/document.ts';

export interface RunToPlay {
  /** The agent of each scenario, and the scenario; at least one. */
  readonly parts: readonly { readonly agent: RehearsedAgent; readonly scenario: Scenario }[];
  readonly seed: number;
  readonly timing: Timing;
  /** The lines of a call whose caller a model words; absent: the rules stand in. */
  readonly lines?: (call: number) => CallerLines;
}

export interface RehearsedResult {
  readonly played: PlayedCall;
  readonly judged: JudgedCall;
}

/** One call of a run: its scenario and its seed follow from its number alone, so that any call can be played again. */
export async function rehearse(run: RunToPlay, call: number): Promise<RehearsedResult> {
  const { timing, lines } = run;
  const { part, seed } = placeOf(run, call);
  const worded = lines === undefined ? {} : { lines: lines(call) };
  return judge(run, call, await playCall({ ...part, seed, timing, ...worded }));
}

/** The agent, the scenario and the seed of a call. */
export function placeOf(
  { parts, seed }: Pick<RunToPlay, 'parts' | 'seed'>,
  call: number,
): { readonly part: RunToPlay['parts'][number]; readonly seed: number } {
  return { part: parts[call % parts.length]!, seed: seedOf(seed, call) };
}

/** The verdicts on a call that was played. */
export function judge(
  run: Pick<RunToPlay, 'parts' | 'seed'>,
  call: number,
  played: PlayedCall,
): RehearsedResult {
  const { part, seed } = placeOf(run, call);
  const { failure } = played;
  const alarms = detect(storyOf(played.settings, played.events));
  const verdicts = failure === null ? judgeCall(part.scenario.expect, played, alarms) : [];
  return {
    played,
    judged: {
      scenario: call % run.parts.length,
      call,
      seed,
      verdicts,
      alarms,
      replyMs: meanReplyMs(played),
      interaction: interactionOf(played),
      failure,
      ...(played.lines === undefined ? {} : { lines: lineCounts(played.lines) }),
    },
  };
}

const lineCounts = ({ byModel, refused }: PlayedLines): LineCounts => ({
  byModel,
  refused: LINE_REFUSALS.flatMap((reason) => {
    const lines = refused.filter((each) => each.reason === reason).length;
    return lines === 0 ? [] : [{ reason, lines }];
  }),
});
