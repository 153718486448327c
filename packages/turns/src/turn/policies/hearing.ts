import { expectedOfLine, languageOf } from '@callwright/language';
import { NOT_UNDERSTOOD } from '../not-understood.ts';
import { joinText } from '../../sentences.ts';
import type { Ears, Expected } from '../ports.ts';
import type { Stream } from '../reply-state.ts';
import { change, changeCaller, type Step, type TurnState } from '../state.ts';
import { sealTurn } from '../transcript.ts';
import type { TurnSettings } from '../types.ts';

/** Speech without words over the agent that lasts this long is an interruption. */
const INTERRUPTS_MS = 700;
/** Whether free speech is lost on this call, so that speech without words may be an answer. */
export const losesSpeech = ({ settings }: TurnState): boolean => settings.hears !== undefined;

/** What is understood of the caller besides keys; null: free speech. */
export const hearsOf = ({
  understandsSpeech,
  onlyPhrases,
}: Ears): NonNullable<TurnSettings['hears']> | null =>
  understandsSpeech ? (onlyPhrases ? 'phrases' : null) : 'keys';

/** Another recogniser hears the caller, who may be about to answer: one of phrases needs the expected answer. */
export function changeEars(step: Step, hears: NonNullable<TurnSettings['hears']> | null): Step {
  const { hears: _, ...rest } = step.state.settings;
  const heard = hears === null ? rest : { ...rest, hears };
  const introExpected = heard.introExpected ?? expectedFrom(heard.introMessage, heard);
  const settings = introExpected === null ? heard : { ...heard, introExpected };
  const changed = change(step, { settings });
  if (changed.state.expected !== null) return changed;
  const expected = expectedFrom(lastLine(changed.state), settings);
  return expected === null ? changed : change(changed, { expected }, { type: 'expect', expected });
}

/** The model's text of a reply counts as what the caller answers. */
const ACCEPTED: ReadonlySet<Stream['phase']> = new Set(['accepted', 'abandoned', 'broken_off']);

/** The agent's line that the caller answers; empty: the caller has answered it. */
function lastLine({ reply, history }: TurnState): string {
  if (reply !== null)
    return ACCEPTED.has(reply.stream.phase) ? joinText(reply.utterances.map(({ text }) => text)) : '';
  const last = history.at(-1);
  return last?.role === 'agent' ? last.text : '';
}

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
  const { reply, caller } = state;
  if (!losesSpeech(state) || reply?.playing.phase !== 'suspended') return false;
  const { stopped } = reply.playing;
  return stopped !== null && caller.quietSince - stopped.since >= INTERRUPTS_MS;
}

/** Notes speech without words; the caller may continue, so the answer waits for the end of the turn. */
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
