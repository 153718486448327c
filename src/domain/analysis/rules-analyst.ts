import type { CallOutcome } from '../calls/outcomes.ts';
import { intentOf, phrasesOf, polarity } from '@callwright/language';
import type { AnalysisInput, Analyst, CallbackRequest, Findings, Sentiment } from './analysis.ts';
import { clientByRules } from './client-by-rules.ts';
import { evaluateByRules } from './evaluate-by-rules.ts';
import { clip, type Exchange, exchangesOf, sentencesOf } from './exchanges.ts';
import { labelFor } from './labels.ts';
import { namedTime } from './named-time.ts';

const NAME = 'offline-rules';

/** The keyless analyst. */
export const rulesAnalyst: Analyst = {
  name: NAME,
  analyse: (input) =>
    Promise.resolve({
      analyst: NAME,
      findings: findByRules(input),
      client: clientByRules(input),
      evaluations: evaluateByRules(input),
    }),
};

const MOST_POINTS = 8;
const LONGEST_POINT = 300;
const LONGEST_SUMMARY = 1000;

const PLEASED = /\b(?:great|perfect|wonderful|excellent|awesome|lovely|very good|sounds good|happy to)\b/i;
const THANKS = /\bthank(?:s| you)\b/i;
const UPSET =
  /\b(?:angry|annoy(?:ed|ing)|terrible|awful|horrible|ridiculous|complain(?:t|ing)?|scam|fraud|disgusting|fed up|waste of (?:my )?time|stop bothering|upset|unacceptable|rude)\b/i;

/**
 * Findings by rules: they quote the transcript and add no conclusions, so they are in the call's
 * language.
 */
function findByRules(input: AnalysisInput): Findings {
  const { transcript, language } = input;
  const table = phrasesOf(language);
  const callerLines = transcript.filter((line) => line.role === 'caller').map((line) => line.text);
  const exchanges = exchangesOf(input);
  const intents = callerLines.map((text) => intentOf(text, table));
  const callback = callbackOf(input, callerLines, intents);
  const outcomes = outcomesOf(input, { callerLines, intents, exchanges, callback });
  return {
    summary: summaryOf(input.transcript, exchanges, callerLines),
    classification: labelFor(outcomes, input.labels),
    keyPoints: exchanges
      .slice(-MOST_POINTS)
      .map(({ question, answer }) => clip(`${question} ${answer}`, LONGEST_POINT)),
    actionItems: actionItems(callerLines, intents, callback),
    sentiment: sentimentOf(callerLines, intents, (text) => polarity(text, table)),
    callback,
  };
}

interface Conversation {
  readonly callerLines: readonly string[];
  readonly intents: readonly (string | null)[];
  readonly exchanges: readonly Exchange[];
  readonly callback: CallbackRequest | null;
}

function outcomesOf(input: AnalysisInput, conversation: Conversation): CallOutcome[] {
  const { callerLines, intents, exchanges, callback } = conversation;
  const answers = exchanges.map(({ answer }) => polarity(answer, phrasesOf(input.language)));
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
    no_response: callerLines.length === 0,
    interested: !refused && yes > 0 && yes >= no,
    completed: input.subStatus === 'AGENT_ENDED',
    incomplete: true,
  };
  return (Object.keys(is) as CallOutcome[]).filter((outcome) => is[outcome]);
}

/** The callback request, from the callback tool's arguments or the callee's own words. */
function callbackOf(
  input: AnalysisInput,
  callerLines: readonly string[],
  intents: readonly (string | null)[],
): CallbackRequest | null {
  const noted = input.tools.findLast((tool) => tool.name === 'schedule_callback');
  const request = callerLines.findLast((_, at) => intents[at] === 'later');
  if (noted === undefined && request === undefined) return null;
  const when = noted?.args['when'];
  const words = typeof when === 'string' && when !== '' ? when : (request ?? '');
  const at = namedTime(words, { at: input.endedAt, zone: input.timeZone, language: input.language });
  return { words: clip(words, LONGEST_POINT), at };
}

/** The callee's requests, quoted. */
function actionItems(
  callerLines: readonly string[],
  intents: readonly (string | null)[],
  callback: CallbackRequest | null,
): string[] {
  const items = callerLines.filter((_, at) => ['later', 'human', 'stop_calling'].includes(intents[at] ?? ''));
  if (items.length === 0 && callback !== null && callback.words !== '') items.push(callback.words);
  return [...new Set(items.map((item) => clip(item, LONGEST_POINT)))].slice(0, MOST_POINTS);
}

function sentimentOf(
  callerLines: readonly string[],
  intents: readonly (string | null)[],
  polarity: (text: string) => 'yes' | 'no' | null,
): Sentiment {
  const text = callerLines.join(' ');
  if (UPSET.test(text) || intents.includes('stop_calling') || intents.includes('not_interested')) {
    return 'negative';
  }
  // "No, thank you" is polite, not positive.
  const thanked = callerLines.some(
    (line, at) => (intents[at] === 'thanks' || THANKS.test(line)) && polarity(line) !== 'no',
  );
  return PLEASED.test(text) || thanked ? 'positive' : 'neutral';
}

/** A summary of quotes: the opening, then the last questions with their answers. */
function summaryOf(
  transcript: AnalysisInput['transcript'],
  exchanges: readonly Exchange[],
  callerLines: readonly string[],
): string {
  const opening = transcript.find((line) => line.role === 'agent')?.text ?? '';
  const parts = [sentencesOf(opening).slice(0, 2).join(' ')];
  for (const { question, answer } of exchanges.slice(-4)) {
    parts.push(opening.includes(question) && parts[0]?.includes(question) ? answer : `${question} ${answer}`);
  }
  if (exchanges.length === 0) parts.push(...callerLines.slice(-2));
  return clip(parts.filter((part) => part !== '').join(' '), LONGEST_SUMMARY);
}
