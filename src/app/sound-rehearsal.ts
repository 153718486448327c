import type { RehearsalPlan } from '../domain/rehearsals/rehearser.ts';
import { callsThatFit, CORES, mediaShare } from '../offline/machine-capacity.ts';
import { measureShares } from '../offline/measure-shares.ts';
import type { RehearsedResult } from '../rehearsal/run.ts';
import { shownCall } from '../rehearsal/report.ts';
import type { RecogniserName } from '../rehearsal/sound/recognisers.ts';
import { rehearsePairsBySound } from '../rehearsal/sound/sound-run.ts';
import { Studio } from '../rehearsal/sound/studio.ts';
import type { PlayedBySound } from '../store/rehearsals/by-sound.ts';
import { asJson, runOf, scenariosIn } from './rehearsals.ts';

export interface SoundRehearsal {
  readonly plan: RehearsalPlan;
  readonly calls: readonly number[];
  readonly modelsDir: string;
  /** Calls that may be under way now. */
  readonly seats: () => number;
  readonly onPlayed: (played: PlayedBySound) => Promise<void>;
}

/** Plays calls of a rehearsal by sound on this thread. */
export async function playSoundRehearsal(of: SoundRehearsal): Promise<void> {
  const { plan, calls, modelsDir, seats } = of;
  const recogniser = recogniserOf(plan);
  const studio = await Studio.open({ recogniser, modelsDir: recogniser === 'words' ? modelsDir : null });
  const shown = ({ played, judged }: RehearsedResult) =>
    shownCall(scenariosIn(plan)[judged.scenario]!, played, judged);
  try {
    await rehearsePairsBySound(
      {
        now: runOf(plan, plan.spec),
        before: plan.againstSpec === null ? null : runOf(plan, plan.againstSpec),
        calls,
        atOnce: plan.atOnce ?? 1,
        seats,
        onPlayed: (now, before) =>
          of.onPlayed({
            call: now.judged.call,
            judged: { now: asJson(now.judged), before: before === null ? null : asJson(before.judged) },
            conversation: shown(now),
            conversationBefore: before === null ? null : shown(before),
          }),
      },
      studio,
    );
  } finally {
    await studio.close();
  }
}

export const recogniserOf = (plan: RehearsalPlan): RecogniserName => plan.recogniser as RecogniserName;

/**
 * Calls by sound that fit on this machine when nothing else runs, as `callwright capacity` counts them. Their sentences are
 * synthesised before they begin, so voices count nothing.
 */
export async function seatsOfMachine(recogniser: RecogniserName, modelsDir: string): Promise<number> {
  if (recogniser === 'given')
    return callsThatFit(CORES, { media: mediaShare(), words: null, phrases: null, voice: null }).vendors;
  const shares = await measureShares(modelsDir, null, 1);
  return callsThatFit(CORES, { ...shares, voice: null })[recogniser] ?? 1;
}
