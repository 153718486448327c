import { endCall, sayAndEnd } from '../closing.ts';
import { change, type Step, type TurnState } from '../state.ts';
import type { TurnSettings } from '../types.ts';

/** Room for the goodbye, by its length; in calls too short for it there is none. */
const GOODBYE_MS = { base: 1_000, perChar: 75, least: 3_000, most: 6_000 } as const;
const LEAST_TALK_MS = 4_000;

/** When the goodbye before the end starts, or null where it does not fit. */
export function goodbyeAt(settings: TurnSettings, answeredAt: number): number | null {
  const text = settings.phrases.maxLengthGoodbye;
  const wanted = GOODBYE_MS.base + text.length * GOODBYE_MS.perChar;
  const lead = Math.min(GOODBYE_MS.most, Math.max(GOODBYE_MS.least, wanted));
  const start = settings.maxCallMs - lead;
  return text === '' || start < LEAST_TALK_MS ? null : answeredAt + start;
}

/** The hard end, independent of everything else in the call. */
export const maxLengthDue = ({ call }: TurnState): number | null =>
  call.phase === 'talking' ? call.endsAt : null;

export const endAtMaxLength = (step: Step, at: number): Step => endCall(step, 'MAX_CALL_DURATION', true, at);

export const goodbyeDue = ({ call }: TurnState): number | null =>
  call.phase === 'talking' ? call.goodbyeAt : null;

/** Says goodbye unless the agent is at it already. */
export function sayGoodbye(step: Step, at: number): Step {
  const { call, reply, settings } = step.state;
  if (call.phase !== 'talking') return step;
  const noted = change(step, { call: { ...call, goodbyeAt: null } });
  if (reply !== null && reply.phase !== 'prepared' && reply.ending !== null) return noted;
  return sayAndEnd(noted, settings.phrases.maxLengthGoodbye, 'MAX_CALL_DURATION', at);
}
