import { expectedOfLine } from '../../../language/expected-line.ts';
import { languageOf } from '../../../language/language-of.ts';
import { NOT_UNDERSTOOD } from '../../../shared/not-understood.ts';
import type { Expected } from '../../ports.ts';
import { change, changeCaller, type Step, type TurnState } from '../state.ts';
import { sealTurn } from '../transcript.ts';
import type { TurnSettings } from '../types.ts';

/** Speech without words over the agent that lasts this long is an interruption. */
const INTERRUPTS_MS = 700;
/** Whether free speech is lost on this call, so that speech without words may be an answer. */
export const losesSpeech = ({ settings }: TurnState): boolean => settings.hears !== undefined;

/** The expected answer to a line of the agent where the brain does not name it; null: none, or free speech is heard. */
export function expectedFrom(
  line: string,
  { hears, language, secondary }: Pick<TurnSettings, 'hears' | 'language' | 'secondary'>,
): Expected | null {
  if (hears === undefined || line === '') return null;
  return expectedOfLine(
    line,
    secondary === undefined ? language : languageOf(line, language, secondary.language),
  );
}

/** The caller spoke over the agent, long enough to mean it, and no word was recognised: the caller has the floor. */
export function isUnclearInterruption(state: TurnState): boolean {
  const { reply, stopped, caller } = state;
  if (!losesSpeech(state) || reply?.phase !== 'suspended' || stopped === null) return false;
  return caller.quietSince - stopped.since >= INTERRUPTS_MS;
}

/** Speech without words in the caller's turn: the caller may go on, so the answer waits for the end of the turn. */
export const noteUnclear = (step: Step): Step => changeCaller(step, { unclear: true });

/** Puts the caller's unclear speech into history and transcript, before any words that followed it. */
export function recordUnclear(step: Step): Step {
  const { caller } = step.state;
  if (!caller.unclear) return step;
  const sealed = changeCaller(sealTurn(step), { unclear: false });
  const endedAt = Math.max(caller.firstSince, caller.quietSince);
  const line = {
    role: 'caller',
    text: NOT_UNDERSTOOD,
    startedAt: caller.firstSince,
    endedAt,
    interrupted: false,
    by: 'speech',
  } as const;
  return change(
    sealed,
    { history: [...sealed.state.history, { role: 'unclear' }] },
    { type: 'transcribe', line },
  );
}
