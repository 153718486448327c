import { strict as assert } from 'node:assert';
import { expect, it } from 'vitest';
import { callerTexts, settings } from '../../../../test/helpers/turns.ts';
import type { HistoryItem } from './ports.ts';
import { initialState, step, type TurnState } from './machine.ts';
import { isSounding } from './segment.ts';
import type { TurnEffect, TurnEvent } from './types.ts';

/** What the recogniser, the gate, the brain and time may do next. */
const MOVES = ['starts', 'stops', 'word', 'eager', 'resumed', 'certain', 'wait', 'reply'] as const;
const WORDS = [
  'alpha',
  'bravo',
  'charlie',
  'delta',
  'echo',
  'foxtrot',
  'golf',
  'hotel',
  'india',
  'juliet',
  'kilo',
];
const LENGTH = 8;
const BEGIN_MS = 2_000;

interface World {
  readonly state: TurnState;
  readonly now: number;
  readonly speaking: boolean;
  /** Words of the recogniser's turns: all of them, and the index of the first one of the open turn. */
  readonly said: number;
  readonly opened: number;
  readonly turn: number;
  /** An eager end without a resumption or certain end. */
  readonly mayBeOver: boolean;
  /** Replies: requested, prepared and never released, sounded. */
  readonly prepared: number | null;
  /** The caller's last words in the request of the prepared reply. */
  readonly answers: string | undefined;
  readonly live: number | null;
  readonly utterance: number | null;
}

/**
 * Every sequence of LENGTH moves of a recogniser that ends turns itself. Its words are in order and complete within a
 * turn; the gate and the brain act as they like.
 */
it('loses and repeats no word, and lets no word of a resumed reply be heard, in any order of events', () => {
  let ends = 0;
  let prepared = 0;
  const explore = (world: World, path: readonly string[]): void => {
    if (path.length === LENGTH) {
      ends++;
      check(act(world, 'certain') ?? world, path);
      return;
    }
    for (const move of MOVES) {
      const next = act(world, move);
      if (next === null) continue;
      if (next.prepared !== null && world.prepared === null) prepared++;
      explore(next, [...path, move]);
    }
  };
  explore(opening(), []);
  expect(ends).toBeGreaterThan(20_000);
  expect(prepared).toBeGreaterThan(1_000);
}, 240_000);

function opening(): World {
  const world: World = {
    state: initialState(settings),
    now: BEGIN_MS,
    speaking: false,
    said: 0,
    opened: 0,
    turn: 0,
    mayBeOver: false,
    prepared: null,
    answers: undefined,
    live: null,
    utterance: null,
  };
  const events: TurnEvent[] = [
    { type: 'answered', at: 0 },
    { type: 'utterance_started', utteranceId: 0, at: 50 },
    { type: 'utterance_ended', utteranceId: 0, at: 1_000 },
  ];
  const begun = events.reduce(fed, world);
  return act(begun, 'starts') ?? begun;
}

/** The world after a move; null: the move is not possible now. */
function act(before: World, move: (typeof MOVES)[number]): World | null {
  const at = before.now + 100;
  const world = { ...before, now: at };
  const text = WORDS.slice(world.opened, world.said).join(' ');
  const heard = { text, at, audioMs: at - 80, turn: `${world.turn}` };
  switch (move) {
    case 'starts':
      if (world.speaking) return null;
      return fed(
        { ...world, speaking: true },
        { type: 'speech_started', since: at - 60, at, audioMs: at - 60 },
      );
    case 'stops':
      if (!world.speaking) return null;
      return fed(
        { ...world, speaking: false },
        { type: 'speech_stopped', since: at - 80, at, audioMs: at - 80 },
      );
    case 'word': {
      if (world.mayBeOver) return null;
      const grown = WORDS.slice(world.opened, world.said + 1).join(' ');
      return fed({ ...world, said: world.said + 1 }, { type: 'partial', ...heard, text: grown });
    }
    case 'eager':
      if (text === '' || world.mayBeOver) return null;
      return fed({ ...world, mayBeOver: true }, { type: 'eager', ...heard });
    case 'resumed': {
      if (!world.mayBeOver) return null;
      const next = fed({ ...world, mayBeOver: false }, { type: 'endpoint_resumed', turn: heard.turn, at });
      assert.equal(next.prepared, null, 'a resumed turn keeps its prepared reply');
      return next;
    }
    case 'certain': {
      if (text === '') return null;
      const over = { ...world, mayBeOver: false, opened: world.said, turn: world.turn + 1 };
      const next = fed(over, { type: 'final', certain: true, ...heard });
      const { reply, caller } = next.state;
      const isOpen = world.state.reply === null || world.state.reply.playing.phase === 'prepared';
      const goesOn = isSounding(caller.sound) && (caller.segment.audioMs ?? 0) >= heard.audioMs;
      if (isOpen && !goesOn) assert.equal(reply?.playing.phase, 'released', 'a certain end without a commit');
      return next;
    }
    case 'wait':
      return fed({ ...world, now: before.now + 1_000 }, { type: 'wake', at: before.now + 1_000 });
    case 'reply':
    default: {
      if (world.live === null) return null;
      const replyId = world.live;
      const told = fed(world, { type: 'reply_text', replyId, text: `Reply ${replyId}. `, at });
      const done = fed(told, { type: 'reply_done', replyId, memory: null, expected: null, at });
      if (done.utterance === null || done.prepared !== null) return { ...done, live: null };
      return fed({ ...done, live: null }, { type: 'utterance_started', utteranceId: done.utterance, at });
    }
  }
}

function fed(world: World, event: TurnEvent): World {
  const { state, effects } = step(world.state, event);
  const next = effects.reduce(followed, { ...world, state });
  return effects.some(({ type }) => type === 'stop_speaking')
    ? fed(next, { type: 'speaking_stopped', heard: [], at: event.at })
    : next;
}

function followed(world: World, effect: TurnEffect): World {
  if (effect.type === 'generate') {
    assert.equal(world.live, null, 'two requests at a time');
    const prepared = effect.speculative ? effect.replyId : null;
    return {
      ...world,
      live: effect.replyId,
      prepared,
      answers: lastWordsOf(effect.history),
      utterance: null,
    };
  }
  if (effect.type === 'cancel_reply') {
    return {
      ...world,
      live: world.live === effect.replyId ? null : world.live,
      prepared: world.prepared === effect.replyId ? null : world.prepared,
    };
  }
  if (effect.type === 'release') {
    if (world.prepared === effect.replyId) {
      assert.equal(lastWordsOf(world.state.history), world.answers, 'a reply to other words');
    }
    return { ...world, prepared: null };
  }
  return effect.type === 'speak' ? { ...world, utterance: effect.utteranceId } : world;
}

/** A prepared reply plays only if it answers exactly the words that were committed. */
const lastWordsOf = (history: readonly HistoryItem[]): string | undefined => callerTexts(history).at(-1);

/** After the recogniser's last certain end. */
function check({ state, said }: World, path: readonly string[]): void {
  const words = [
    ...state.history.flatMap((item) => (item.role === 'caller' ? [item.text] : [])),
    state.caller.text,
    state.caller.partial.text,
  ];
  assert.equal(
    words.filter((text) => text !== '').join(' '),
    WORDS.slice(0, said).join(' '),
    path.join(', '),
  );
}
