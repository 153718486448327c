import { dropReply } from '../closing.ts';
import { commitTurn } from '../commit.ts';
import { generate } from '../reply.ts';
import { say } from '../speaking.ts';
import { owedUntil } from '../segment.ts';
import { isTalking } from '../caller-state.ts';
import { change, changeCaller, changeReply, type Step, type TurnState } from '../state.ts';
import { recordWords } from '../transcript.ts';
import { NO_LIST } from '../phrase-set.ts';
import { consistsOf } from '../phrases.ts';
import { saidIn } from '../said.ts';
import { closureWait } from './endpointing.ts';

/** How much longer the agent waits for a callee who keeps talking. */
const POLITE_MS = 1_300;

/** The call is answered, or a person took it: the first message is due now, or as the start rule says. */
export function begin(step: Step, at: number): Step {
  const { settings } = step.state;
  const { start } = settings;
  const waits = start !== undefined && start.waitMs > 0;
  const intro = settings.introMessage.trim();
  if (intro === '' && settings.speaksFirst === false) return step;
  if (!waits) return speakFirst(step, at);
  const waiting = change(step, { startBy: at + start.waitMs });
  // Its audio is made during the wait.
  return intro === '' ? waiting : say(waiting, intro, at, { kind: 'greeting', isPrepared: true });
}

/** When the first message is due: the callee said hello, the caller has spoken, or the wait is over. */
export function startDue(state: TurnState): number | null {
  const { startBy, settings, caller, attended } = state;
  const rule = settings.start;
  if (startBy === null || rule === undefined || attended !== 'person') return null;
  if (rule.after === 'delay') return startBy;
  if (isTalking(caller)) return rule.after === 'hello' ? startBy + POLITE_MS : null;
  const hasSpoken = caller.sound.phase !== 'none' && caller.quietSince > 0;
  if (!hasSpoken) return startBy;
  // A generated message answers the words, so it waits for them.
  const waitsForWords = settings.introMessage.trim() === '' && owedUntil(caller.sound) !== null;
  if (rule.after === 'hello' && !waitsForWords) return Math.min(startBy, caller.quietSince);
  if (owedUntil(caller.sound) !== null) return owedUntil(caller.sound);
  return caller.text === '' ? startBy : caller.quietSince + closureWait(state);
}

/** Speaks the first message. A hello is on record; other words of the caller are answered after it. */
export function speakFirst(step: Step, at: number): Step {
  const { settings, caller, reply } = step.state;
  const begun = change(step, { startBy: null });
  const intro = settings.introMessage.trim();
  const words = saidIn(settings, caller.text);
  const isHello = consistsOf(words, settings.greetings ?? NO_LIST, settings.backchannels);
  if (intro === '') {
    if (caller.text !== '' && !isHello) return commitTurn(begun, at);
    return generate(isHello ? noteHello(begun, at) : begun, at, { speculative: false });
  }
  const noted = isHello ? noteHello(begun, at) : begun;
  const isPrepared = reply?.playing.phase === 'prepared' && reply.kind === 'greeting';
  const said = isPrepared
    ? changeReply(
        noted,
        { playing: { phase: 'released', releasedAt: at } },
        { type: 'release', replyId: reply.id },
      )
    : say(dropReply(noted), intro, at, { kind: 'greeting' });
  const expected = settings.introExpected;
  return expected === undefined ? said : change(said, { expected }, { type: 'expect', expected });
}

function noteHello(step: Step, at: number): Step {
  const { caller } = step.state;
  const recorded = recordWords(
    step,
    caller.text,
    caller.firstSince,
    Math.max(caller.quietSince, caller.firstSince),
  );
  return changeCaller(change(recorded, { idle: { since: at, warned: false } }), {
    text: '',
    end: { certain: false, judged: caller.end.judged },
  });
}
