import { clipped, type Detector } from './alarm.ts';
import { isListening, isQuestion } from './words.ts';

/** The caller's sound ended so shortly before that the agent cannot have answered it. */
const JUST_NOW_MS = 300;

/** The agent hangs up on a caller who speaks, in its own sentence, or on one whom it has asked something. */
export const earlyHangUp: Detector = (story) => {
  const { agent, caller, end } = story;
  if (end?.reason !== 'AGENT_ENDED') return null;
  const last = agent.at(-1);
  const words = caller.findLast((sound) => !isListening(story, sound));
  if (words !== undefined && words.to >= end.at - JUST_NOW_MS)
    return { at: end.at, detail: `while the caller said “${clipped(words.text)}”` };
  if (words !== undefined && words.to > (last?.to ?? 0))
    return { at: end.at, detail: `without an answer to “${clipped(words.text)}”` };
  if (last?.cut === true && last.to >= end.at)
    return { at: end.at, detail: `in the middle of its own “${clipped(last.text)}”` };
  if (last !== undefined && isQuestion(last.text))
    return { at: end.at, detail: `right after its question “${clipped(last.text)}”` };
  return null;
};
