import { joinText } from '../sentences.ts';
import { releaseReply } from './brain.ts';
import { dropReply } from './closing.ts';
import { isPreparedFor } from './endpoint.ts';
import { cutIn, wentOn } from './policies/adapt.ts';
import { isOpenNumber, looksWhole } from './policies/endpointing.ts';
import { recordUnclear } from './policies/hearing.ts';
import { generate } from './reply.ts';
import { isSounding } from './segment.ts';
import { clearedCaller, afterPause, takenBack, type Caller } from './caller-state.ts';
import { isAudible } from './reply-state.ts';
import { change, changeCaller, isSilenced, type Step } from './state.ts';
import { callerItems, sealTurn } from './transcript.ts';

/** A turn of at least this length without a cut-in counts as fluent: later waits are shortened. */
const LONG_TURN_MS = 3_000;

/**
 * Commits the caller's words and keys as a turn and releases its prepared reply, or requests one. A turn that a person
 * answers in the agent's place is only recorded.
 */
export function commitTurn(step: Step, at: number): Step {
  const sealed = sealTurn(recordUnclear(step));
  const { state } = sealed;
  const { caller, keypad } = state;
  const prepared = state.reply?.playing.phase === 'prepared' && keypad === null;
  const startedAt = caller.text === '' ? (keypad?.firstAt ?? at) : caller.firstSince;
  const lastSoundAt = Math.max(keypad?.lastAt ?? 0, caller.text === '' ? 0 : caller.quietSince);
  const fresh = caller.reopened === 0;
  const ready = prepared ? sealed : dropReply(sealed);
  const committed = change(ready, {
    turn: {
      text: caller.text,
      transcribed: caller.earlier.transcribed,
      typed: caller.typed,
      keypad,
      startedAt,
      lastSoundAt,
      committedAt: at,
      finalAt: caller.text === '' ? null : caller.finalAt,
      historyBefore: ready.state.history,
      number: isOpenNumber(state) ? { memory: state.memory, expected: state.expected } : null,
      reopened: caller.reopened,
      prepared,
      phase: 'open',
      fluent: fresh && lastSoundAt - startedAt >= LONG_TURN_MS,
    },
    turns: state.turns + 1,
    history: [...ready.state.history, ...callerItems(caller.text, keypad, caller)],
    caller: clearedCaller(caller),
    keypad: null,
    idle: { since: at, warned: false },
    missed: 0,
    tools: { ...ready.state.tools, rounds: 0, done: [] },
  });
  if (isSilenced(state)) return sealTurn(committed);
  return prepared ? releaseReply(committed, at) : generate(committed, at, { speculative: false });
}

/** True while the reply to the last turn has neither sounded nor run a tool: the turn can still grow. */
export function canReopen(step: Step): boolean {
  const { turn, reply } = step.state;
  return (
    turn !== null &&
    turn.phase === 'open' &&
    reply !== null &&
    reply.kind === 'brain' &&
    reply.playing.phase === 'released' &&
    !isAudible(reply)
  );
}

/** Rolls back the commit, because the caller continues to speak. */
export function reopenTurn(step: Step): Step {
  const { turn } = step.state;
  if (turn === null) return step;
  const grew = step.state.caller.text !== '';
  const dropped = dropReply(grew ? cutIn(step, step.state.caller.firstSince - turn.lastSoundAt) : step);
  const { caller, history } = dropped.state;
  // Tool results that arrived since belong to an earlier reply and are kept.
  const since = history.slice(turn.historyBefore.length).filter((item) => item.role === 'tool');
  return change(dropped, {
    turn: null,
    turns: dropped.state.turns - 1,
    history: [...turn.historyBefore, ...since],
    keypad: turn.keypad,
    caller: {
      ...caller,
      text: joinText([turn.text, caller.text]),
      firstSince: turn.startedAt,
      quietSince: isSounding(caller.sound) ? turn.lastSoundAt : caller.quietSince,
      earlier: takenBack(caller.earlier, turn, turn.transcribed),
      finalAt: turn.finalAt,
      typed: turn.typed || caller.typed,
      reopened: grew ? 0 : turn.reopened + 1,
    },
  });
}

/** More words of the turn: learns the pause before them, if the earlier words were committed or looked whole. */
function noteGoingOn(step: Step): Step {
  const { caller } = step.state;
  const { text, reopened } = caller;
  const pauseMs = pauseBefore(caller);
  if (reopened > 0) return cutIn(step, pauseMs);
  return text !== '' && pauseMs > 0 && looksWhole(step.state) ? wentOn(step, pauseMs) : step;
}

/** From the words of the turn to the current segment, ms; 0: there is no pause. */
const pauseBefore = ({ earlier, segment }: Caller): number =>
  earlier.quietSince === null ? 0 : segment.since - earlier.quietSince;

/** Longer turns are cut. */
const MAX_TURN_CHARS = 8_000;

/** Appends words to the turn and drops a reply that was not prepared for them. */
export function addWords(step: Step, text: string, at: number): Step {
  const { caller, reply } = step.state;
  const cut = noteGoingOn(step);
  const grown = joinText([caller.text, text]).slice(0, MAX_TURN_CHARS);
  const isStale =
    reply?.playing.phase === 'prepared' &&
    reply.kind === 'brain' &&
    !isPreparedFor(reply, [grown], step.state);
  const kept = isStale ? dropReply(cut) : cut;
  return changeCaller(kept, {
    text: grown,
    earlier: afterPause(caller.earlier, pauseBefore(caller)),
    finalAt: at,
    reopened: 0,
    preparing: { failed: false, words: caller.preparing.words },
  });
}
