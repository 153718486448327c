import { normal } from '@callwright/language';
import { draw, pick } from '../../../src/rehearsal/draw.ts';
import type { DetectorName } from '../../../src/rehearsal/detect/alarm.ts';
import type { Story, StorySound } from '../../../src/rehearsal/detect/story.ts';

/** What a fault, or something that only looks like one, makes of a clean call; null: the call has no place for it. */
type Change = (story: Story, seed: number) => Story | null;

const isQuestion = ({ text }: StorySound): boolean => text.trim().endsWith('?');
/** Turns that an agent has to answer. */
const turnsOf = ({ caller }: Story): StorySound[] =>
  caller.filter(({ text }) => normal(text).length > 1 && !/moment|again|mhm|hmm|uh huh/i.test(text));
/** Nobody else speaks at the end of the sound. */
const isAlone = ({ agent, caller }: Story, { to }: StorySound): boolean =>
  [...agent, ...caller].filter((each) => each.from <= to + 10 && each.to >= to).length === 1;
const sound = (text: string, from: number, ms: number): StorySound => ({
  text,
  from,
  to: from + ms,
  cut: false,
});
const choose = <T>(list: readonly T[], seed: number, key: string): T | null =>
  list.length === 0 ? null : pick(list, seed, key);

/** Everything from `at` on happens later. */
function delayed(story: Story, at: number, ms: number): Story {
  const time = (value: number): number => (value >= at ? value + ms : value);
  const later = (each: StorySound): StorySound => ({ ...each, from: time(each.from), to: time(each.to) });
  return {
    ...story,
    agent: story.agent.map(later),
    caller: story.caller.map(later),
    tools: story.tools.map((tool) => ({ ...tool, at: time(tool.at) })),
    keys: story.keys.map(time),
    holds: story.holds.map((hold) => ({ from: time(hold.from), to: time(hold.to) })),
    end: story.end === null ? null : { ...story.end, at: time(story.end.at) },
  };
}

/** Puts sounds into the call at a time; the rest follows them. */
function inserted(
  story: Story,
  at: number,
  agent: readonly StorySound[],
  caller: readonly StorySound[] = [],
): Story {
  const to = Math.max(...[...agent, ...caller].map((each) => each.to));
  const after = delayed(story, at, to - at + 600);
  const inOrder = (list: readonly StorySound[]): StorySound[] => list.toSorted((a, b) => a.from - b.from);
  return {
    ...after,
    agent: inOrder([...after.agent, ...agent]),
    caller: inOrder([...after.caller, ...caller]),
  };
}

/** The turn of a caller that the agent answers, and the answer. */
function exchange(
  story: Story,
  seed: number,
): { readonly turn: StorySound; readonly reply: StorySound } | null {
  const pairs = turnsOf(story).flatMap((turn) => {
    const reply = story.agent.find(({ from }) => from >= turn.to);
    const between = story.caller.some(({ from }) => from >= turn.to && from < (reply?.from ?? 0));
    return reply === undefined || between || !isAlone(story, turn) ? [] : [{ turn, reply }];
  });
  return choose(pairs, seed, 'exchange');
}

const PROMISES = [
  'I have booked that for you.',
  'Great, I have just sent you the details by e-mail.',
  'I am transferring you to a colleague now.',
  'I have cancelled your order.',
  'All right, I have updated your address.',
  "I've refunded the amount.",
  'You are booked for Tuesday.',
];
const number = (seed: number, digits: number): string =>
  Array.from({ length: digits }, (_, at) => Math.floor(draw(seed, 'digit', at) * 10)).join('');
const spaced = (digits: string): string => digits.replaceAll(/\d{3}(?=\d)/g, '$& ');
const changed = (digits: string, seed: number): string => {
  const at = Math.floor(draw(seed, 'wrong') * digits.length);
  return (
    digits.slice(0, at) +
    String((Number(digits[at]) + 1 + Math.floor(draw(seed, 'by') * 8)) % 10) +
    digits.slice(at + 1)
  );
};
/** The caller dictates a number, and the agent repeats `digits`. */
const dictated = (story: Story, seed: number, said: string, repeated: string): Story | null => {
  const found = exchange(story, seed);
  if (found === null) return null;
  const from = found.turn.to + 700;
  const words = sound(`My number is ${spaced(said)}`, from, 4_000);
  const back = sound(`Thank you, I noted ${spaced(repeated)}.`, words.to + 900, 4_500);
  return inserted(
    story,
    found.turn.to + 10,
    [sound('May I have your number?', found.turn.to + 50, 600), back],
    [words],
  );
};

/** Calls with one fault each. */
export const FAULTS: Readonly<Record<DetectorName, Change>> = {
  dead_air(story, seed) {
    const found = exchange(story, seed);
    return found === null ? null : delayed(story, found.reply.from, 4_500 + 8_000 * draw(seed, 'silence'));
  },
  loop(story, seed) {
    const found = exchange(story, seed);
    if (found === null) return null;
    const text = pick(
      ['We are open from nine to five.', 'That is not possible at the moment.'],
      seed,
      'loop',
    );
    let at = found.turn.to + 500;
    const agent: StorySound[] = [];
    const caller: StorySound[] = [];
    for (let n = 0; n < 3; n++) {
      agent.push(sound(text, at, 2_000));
      caller.push(sound(`But I want something else ${n}`, at + 2_600, 1_800));
      at += 5_200;
    }
    return inserted(story, found.turn.to + 10, agent, caller);
  },
  talk_over(story, seed) {
    const found = exchange(story, seed);
    if (found === null) return null;
    const from = found.turn.to + 700;
    const talk = sound(
      'What I wanted to tell you about is that we moved to another house last week',
      from,
      5_000,
    );
    const over = sound(
      'All right, then let us go on with the next question.',
      from + 900,
      2_000 + 1_500 * draw(seed, 'over'),
    );
    return inserted(story, found.turn.to + 10, [over], [talk]);
  },
  repeated_question(story, seed) {
    const times = (text: string): number => story.agent.filter((each) => each.text === text).length;
    const asked = choose(
      story.agent.filter(
        (each) => isQuestion(each) && !/still there/.test(each.text) && !each.cut && times(each.text) === 1,
      ),
      seed,
      'question',
    );
    const answer = turnsOf(story).find(({ from }) => from > (asked?.to ?? Infinity));
    const next = story.agent.find(({ from }) => from > (answer?.to ?? Infinity));
    const isExcused = story.agent.some(
      ({ text, from }) =>
        /still there|catch/.test(text) && from > (asked?.to ?? 0) && from < (answer?.to ?? 0),
    );
    // A caller who asked for a moment or did not hear is asked again by right.
    const hasAsked = story.caller.some(
      ({ text, from }) => /moment|again/i.test(text) && from > (asked?.from ?? 0) && from < (answer?.to ?? 0),
    );
    if (isExcused || hasAsked) return null;
    if (asked === null || answer === undefined || next === undefined) return null;
    const again = sound(asked.text, answer.to + 900, asked.to - asked.from);
    const reply = sound('I have already told you that', again.to + 700, 1_600);
    return inserted(story, answer.to + 10, [again], [reply]);
  },
  long_monologue(story, seed) {
    const found = exchange(story, seed);
    if (found === null) return null;
    const from = found.turn.to + 600;
    const sentences = Array.from({ length: 8 + Math.floor(draw(seed, 'long') * 5) }, (_, at) =>
      sound(`And this is sentence number ${at} of a long explanation.`, from + at * 4_300, 4_100),
    );
    return inserted(story, found.turn.to + 10, sentences);
  },
  promise_without_tool(story, seed) {
    const found = exchange(story, seed);
    if (found === null) return null;
    return inserted(story, found.turn.to + 10, [
      sound(pick(PROMISES, seed, 'promise'), found.turn.to + 700, 2_200),
    ]);
  },
  misheard_number(story, seed) {
    const said = number(seed, 6 + Math.floor(draw(seed, 'length') * 5));
    return dictated(story, seed, said, changed(said, seed));
  },
  early_hang_up(story, seed) {
    // The hello of a caller who picks up is no turn that wants an answer.
    const turns = turnsOf(story).filter(({ text }) => !/^hello\?$/i.test(text));
    const turn = choose(turns, seed, 'last');
    if (turn === null || story.end === null) return null;
    const at = draw(seed, 'where') < 0.5 ? turn.from + 0.6 * (turn.to - turn.from) : turn.to + 700;
    const cut = (list: readonly StorySound[]): StorySound[] =>
      list
        .filter(({ from }) => from < at)
        .map((each) => ({ ...each, to: Math.min(each.to, at), cut: each.cut || each.to > at }));
    return {
      ...story,
      agent: cut(story.agent),
      caller: cut(story.caller),
      tools: story.tools.filter((tool) => tool.at < at),
      end: { reason: 'AGENT_ENDED', at },
    };
  },
};

/** What looks like a fault and is none. */
export const INNOCENT: Readonly<Record<string, Change>> = {
  'the caller asks for time'(story, seed) {
    const found = exchange(story, seed);
    if (found === null) return null;
    const wait = sound('One moment please, let me look.', found.turn.to + 700, 1_700);
    const back = sound('Here I am again', wait.to + 7_000, 1_000);
    return inserted(story, found.turn.to + 10, [], [wait, back]);
  },
  'the call is on hold'(story, seed) {
    const found = exchange(story, seed);
    if (found === null) return null;
    const held = delayed(story, found.turn.to + 10, 20_000);
    return { ...held, holds: [{ from: found.turn.to + 100, to: found.turn.to + 19_000 }] };
  },
  'the caller wants to hear it again'(story, seed) {
    const asked = choose(
      story.agent.filter((each) => isQuestion(each) && !each.cut && isAlone(story, each)),
      seed,
      'question',
    );
    if (asked === null) return null;
    const again = sound('Sorry, can you say that again?', asked.to + 700, 1_400);
    return inserted(
      story,
      asked.to + 10,
      [sound(asked.text, again.to + 900, asked.to - asked.from)],
      [again],
    );
  },
  'a tool keeps the promise'(story, seed) {
    const made = FAULTS.promise_without_tool(story, seed);
    return made === null
      ? null
      : {
          ...made,
          tools: ['book_slot', 'send_mail', 'transfer_call', 'cancel_order', 'update_record', 'refund'].map(
            (name) => ({ name, at: 0 }),
          ),
        };
  },
  'the number is right'(story, seed) {
    const said = number(seed, 10);
    return dictated(story, seed, said, draw(seed, 'whole') < 0.5 ? said : said.slice(-4));
  },
  'the caller murmurs'(story, seed) {
    const long = choose(
      story.agent.filter(({ from, to }) => to - from > 2_000),
      seed,
      'long',
    );
    if (long === null) return null;
    const caller = [...story.caller, sound('mhm', long.from + 600, 400)].toSorted((a, b) => a.from - b.from);
    return { ...story, caller };
  },
  'the agent stops when interrupted'(story, seed) {
    const found = exchange(story, seed);
    if (found === null) return null;
    const from = found.turn.to + 700;
    const cut = { ...sound('Then let me tell you about our offers of this week', from, 1_900), cut: true };
    return inserted(
      story,
      found.turn.to + 10,
      [cut],
      [sound('No thank you, please go on', from + 1_500, 1_700)],
    );
  },
};
