import type { Expected } from '../turn/ports.ts';
import type { TurnEvent, TurnSettings } from '../turn/types.ts';
import { wordsOf } from '../turn/words.ts';
import { decidedAnew } from './replay.ts';
import type { EventLog } from './event-log.ts';

const LETTERS = /[\p{L}\p{M}]+|\p{N}/gu;

/**
 * The log with no personal words: every word that is not in the call's own phrase lists becomes as many `x`, every digit
 * 0. The decisions are made again on these words, so that the log replays the same.
 */
export function maskWords(log: EventLog): EventLog {
  const known = knownWords(log.settings);
  const mask = (text: string): string =>
    text.replaceAll(LETTERS, (word) => {
      if (/^\p{N}$/u.test(word)) return '0';
      return known.has(wordsOf(word).join('')) ? word : 'x'.repeat(word.length);
    });
  const { settings } = log;
  const masked: EventLog = {
    ...log,
    isMasked: true,
    settings: {
      ...settings,
      introMessage: mask(settings.introMessage),
      ...(settings.introExpected === undefined
        ? {}
        : { introExpected: maskExpected(settings.introExpected, mask) }),
      ...(settings.fillers === undefined
        ? {}
        : { fillers: { ...settings.fillers, phrases: settings.fillers.phrases.map(mask) } }),
    },
    entries: log.entries.map(({ event, decision }) => ({ decision, event: maskEvent(event, mask) })),
  };
  return { ...masked, entries: decidedAnew(masked) };
}

/** Words of the turn machine's own lists, which every call in the language has. */
function knownWords(settings: TurnSettings): ReadonlySet<string> {
  const { phrases, secondary, backchannels, farewells, greetings, shortAnswers, waits, refusals } = settings;
  const lists = [backchannels, farewells, greetings, shortAnswers, waits, refusals];
  const texts = [phrases, secondary?.phrases].flatMap((set) => Object.values(set ?? {}).flat());
  return new Set([...lists.flatMap((list) => list ?? []), ...texts].flatMap(wordsOf));
}

const maskExpected = (expected: Expected, mask: (text: string) => string): Expected => ({
  ...expected,
  phrases: expected.phrases.map(mask),
  ...(expected.choices === undefined ? {} : { choices: expected.choices.map(mask) }),
});

function maskEvent(event: TurnEvent, mask: (text: string) => string): TurnEvent {
  const { type } = event;
  if (
    type === 'partial' ||
    type === 'final' ||
    type === 'eager' ||
    type === 'typed' ||
    type === 'reply_text' ||
    type === 'note'
  )
    return { ...event, text: mask(event.text) };
  if (type === 'dtmf') return { ...event, digit: /\d/.test(event.digit) ? '1' : event.digit };
  if (type === 'reply_tool') return { ...event, args: maskArgs(event.args, mask) };
  if (type === 'reply_done') {
    const { steps: _, ...rest } = event;
    return { ...rest, expected: rest.expected === null ? null : maskExpected(rest.expected, mask) };
  }
  if (type === 'tool_result') return { ...event, result: '' };
  if (type === 'say' || type === 'person_said')
    return { ...event, text: mask(event.text), author: mask(event.author) };
  if (type === 'introduce') return { ...event, say: mask(event.say) };
  if (type === 'end_requested') return { ...event, say: event.say === null ? null : mask(event.say) };
  return event;
}

/** Different arguments stay different by their length alone: a fixture needs no more. */
const maskArgs = (args: Record<string, unknown>, mask: (text: string) => string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, mask(JSON.stringify(value) ?? '')]));
