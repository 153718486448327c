import type { AnalysisInput, CallbackRequest, Findings, LanguageSense, Sentiment } from './analysis.ts';
import { askedTime } from './asked-time.ts';
import { exchangesOf, sentencesOf, type Exchange } from './exchanges.ts';
import { labelFor, type CallOutcome } from './labels.ts';

const MOST_POINTS = 8;
const LONGEST_POINT = 300;
const LONGEST_SUMMARY = 1000;

const PLEASED = /\b(?:great|perfect|wonderful|excellent|awesome|lovely|very good|sounds good|happy to)\b/i;
const THANKS = /\bthank(?:s| you)\b/i;
const UPSET =
  /\b(?:angry|annoy(?:ed|ing)|terrible|awful|horrible|ridiculous|complain(?:t|ing)?|scam|fraud|disgusting|fed up|waste of (?:my )?time|stop bothering|upset|unacceptable|rude)\b/i;

/**
 * What rules can say of a call, and no more: its own words are quoted, nothing is concluded that was not said. It is in
 * the call's language because it is made of the call's sentences.
 */
export function findByRules(input: AnalysisInput, sense: LanguageSense): Findings {
  const { transcript, language } = input;
  const said = transcript.filter((line) => line.role === 'caller').map((line) => line.text);
  const exchanges = exchangesOf(input, sense);
  const intents = said.map((text) => sense.intent(text, language));
  const callback = callbackOf(input, said, intents, sense);
  const outcomes = outcomesOf(input, { said, intents, exchanges, callback }, sense);
  return {
    summary: summaryOf(input.transcript, exchanges, said),
    classification: labelFor(outcomes, input.labels),
    keyPoints: exchanges
      .slice(-MOST_POINTS)
      .map(({ question, answer }) => clip(`${question} ${answer}`, LONGEST_POINT)),
    actionItems: actionItems(said, intents, callback),
    sentiment: sentimentOf(said, intents, (text) => sense.polarity(text, language)),
    callback,
  };
}

interface Heard {
  readonly said: readonly string[];
  readonly intents: readonly (string | null)[];
  readonly exchanges: readonly Exchange[];
  readonly callback: CallbackRequest | null;
}

function outcomesOf(input: AnalysisInput, heard: Heard, sense: LanguageSense): CallOutcome[] {
  const { said, intents, exchanges, callback } = heard;
  const answers = exchanges.map(({ answer }) => sense.polarity(answer, input.language));
  const yes = answers.filter((answer) => answer === 'yes').length;
  const no = answers.filter((answer) => answer === 'no').length;
  const refused = intents.includes('not_interested');
  const is: Readonly<Record<CallOutcome, boolean>> = {
    voicemail: input.subStatus === 'VOICEMAIL_DETECTED',
    call_screened: input.subStatus === 'CALL_SCREENED',
    do_not_call:
      input.subStatus === 'OPTED_OUT' ||
      intents.includes('stop_calling') ||
      input.tools.some((tool) => tool.name === 'opt_out'),
    wrong_number: intents.includes('wrong_person'),
    callback_requested: callback !== null,
    transferred: input.subStatus === 'CALL_TRANSFERRED',
    human_requested: intents.includes('human'),
    not_interested: refused,
    no_response: said.length === 0,
    interested: !refused && yes > 0 && yes >= no,
    completed: input.subStatus === 'AGENT_ENDED',
    incomplete: true,
  };
  return (Object.keys(is) as CallOutcome[]).filter((outcome) => is[outcome]);
}

/** From the tool that notes callbacks, or the person's own words. */
function callbackOf(
  input: AnalysisInput,
  said: readonly string[],
  intents: readonly (string | null)[],
  sense: LanguageSense,
): CallbackRequest | null {
  const noted = input.tools.findLast((tool) => tool.name === 'schedule_callback');
  const asked = said.findLast((_, at) => intents[at] === 'later');
  if (noted === undefined && asked === undefined) return null;
  const when = noted?.args['when'];
  const words = typeof when === 'string' && when !== '' ? when : (asked ?? '');
  const at = askedTime(words, { at: input.endedAt, zone: input.timeZone, language: input.language }, sense);
  return { words: clip(words, LONGEST_POINT), at };
}

/** What was asked of us, in the person's own words. */
function actionItems(
  said: readonly string[],
  intents: readonly (string | null)[],
  callback: CallbackRequest | null,
): string[] {
  const items = said.filter((_, at) => ['later', 'human', 'stop_calling'].includes(intents[at] ?? ''));
  if (items.length === 0 && callback !== null && callback.words !== '') items.push(callback.words);
  return [...new Set(items.map((item) => clip(item, LONGEST_POINT)))].slice(0, MOST_POINTS);
}

function sentimentOf(
  said: readonly string[],
  intents: readonly (string | null)[],
  polarity: (text: string) => 'yes' | 'no' | null,
): Sentiment {
  const text = said.join(' ');
  if (UPSET.test(text) || intents.includes('stop_calling') || intents.includes('not_interested')) {
    return 'negative';
  }
  // "No, thank you" is polite, not pleased.
  const thanked = said.some(
    (line, at) => (intents[at] === 'thanks' || THANKS.test(line)) && polarity(line) !== 'no',
  );
  return PLEASED.test(text) || thanked ? 'positive' : 'neutral';
}

/** What the call was about, in its own sentences: the opening, then what was asked and answered. */
function summaryOf(
  transcript: AnalysisInput['transcript'],
  exchanges: readonly Exchange[],
  said: readonly string[],
): string {
  const opening = transcript.find((line) => line.role === 'agent')?.text ?? '';
  const parts = [sentencesOf(opening).slice(0, 2).join(' ')];
  for (const { question, answer } of exchanges.slice(-4)) {
    parts.push(opening.includes(question) && parts[0]?.includes(question) ? answer : `${question} ${answer}`);
  }
  if (exchanges.length === 0) parts.push(...said.slice(-2));
  return clip(parts.filter((part) => part !== '').join(' '), LONGEST_SUMMARY);
}

/** At most `most` code points, cut at a word where there is one. */
export function clip(text: string, most: number): string {
  const points = Array.from(text.trim());
  if (points.length <= most) return points.join('');
  const cut = points.slice(0, most - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`;
}
