import { say } from '../speaking.ts';
import { change, isTalking, type Step, type TurnState } from '../state.ts';

/** Both are silent and nothing is being prepared. */
export function isIdle(state: TurnState): boolean {
  const { reply, caller, keypad, tools } = state;
  if (state.attended !== 'person') return false;
  if (reply !== null || keypad !== null || tools.pending.some((call) => !call.quiet) || tools.fresh)
    return false;
  return !isTalking(caller) && caller.awaitingUntil === null && caller.text === '';
}

export function idleWarningDue(state: TurnState): number | null {
  const { settings, idle } = state;
  if (!isIdle(state) || idle.warned || settings.idleWarningMs <= 0) return null;
  return idle.since + settings.idleWarningMs;
}

/** Counted from the start of the silence: our own check-in does not begin a new one. */
export const idleEndDue = (state: TurnState): number | null =>
  isIdle(state) ? state.idle.since + state.settings.idleEndMs : null;

export const checkIn = (step: Step, at: number): Step =>
  say(
    change(step, { idle: { ...step.state.idle, warned: true } }),
    step.state.settings.phrases.idleCheckIn,
    at,
    {
      kind: 'check_in',
    },
  );

/** Says goodbye to nobody; an answer still calls the end off. */
export const endIdle = (step: Step, at: number): Step =>
  say(step, step.state.settings.phrases.idleGoodbye, at, {
    kind: 'phrase',
    ending: { reason: 'USER_BECAME_IDLE', cancellable: true },
  });
