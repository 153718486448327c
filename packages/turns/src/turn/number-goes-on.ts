import { dictatedSoFar, type Language } from '@callwright/language';
import { joinText } from '../sentences.ts';
import { afterPause, takenBack } from './caller-state.ts';
import type { Reply } from './reply-state.ts';
import { change, type Step } from './state.ts';
import { wordsOf } from './words.ts';

/** Digits over the reply this soon after the commit of a number are the rest of it. */
const GOES_ON_MS = 1_500;

/**
 * The caller interrupted the reply to a number of unknown length with more digits: takes the turn back, so that both parts are
 * one number and the brain answers the same question again. A reply that ran a tool stands. `reply`: the interrupted one;
 * `since`: when the digits began.
 */
export function joinNumber(step: Step, reply: Reply | null, since: number): Step {
  const { turn, caller, settings, history } = step.state;
  const before = turn?.number ?? null;
  if (turn === null || before === null || reply === null || reply.calledTools) return step;
  if (reply.kind !== 'brain' || since - turn.committedAt > GOES_ON_MS) return step;
  if (!isDigits(joinText([caller.text, caller.partial.text]), settings.language)) return step;
  const { memory, expected } = before;
  const results = history.slice(turn.historyBefore.length).filter(({ role }) => role === 'tool');
  return change(
    step,
    {
      turn: null,
      history: [...turn.historyBefore, ...results],
      memory,
      expected,
      caller: {
        ...caller,
        text: joinText([turn.text, caller.text]),
        earlier: afterPause(takenBack(caller.earlier, turn, turn.text.length), since - turn.lastSoundAt),
      },
    },
    { type: 'expect', expected },
  );
}

/** Digits from the first word to the last. */
function isDigits(text: string, language: Language): boolean {
  const [first = ''] = wordsOf(text);
  const { digits, letters } = dictatedSoFar(text, language, null).dictated;
  return digits !== '' && letters === '' && dictatedSoFar(first, language, null).dictated.digits !== '';
}
