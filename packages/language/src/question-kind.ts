import { inOrder } from './text.ts';

export type AnswerKind =
  | 'yes_no'
  | 'number'
  | 'digits'
  | 'date'
  | 'time'
  | 'choice'
  | 'name'
  | 'free'
  | 'rest';

/** The kind of answer that an English question wants, and the choices it offers. */
export interface ExpectedAnswer {
  answer: AnswerKind;
  choices: readonly string[];
  /** Words for the read-back: "preferred day". */
  slot: string;
  identity: boolean;
}

const AUXILIARY =
  /^(?:(?:so|and|okay|great|also|first|now|just to confirm|before we \w+|may i (?:know|ask)|could you (?:tell me|confirm|let me know))[, ]+(?:if |whether )?)*(?:are|is|am|was|were|do|does|did|can|could|will|would|have|has|had|should|shall|may|might|isn't|aren't|don't|won't|right|correct)\b/i;
const IDENTITY =
  /\b(?:am i (?:speaking|talking) (?:with|to)|(?:may|can|could) i (?:please )?(?:speak|talk) (?:with|to)|is (?:this|that) (?:mr|mrs|ms|dr|[A-Z])|are you (?:mr|mrs|ms|dr)\b|speaking with \S+\s*\?)/;
const GOOD_TIME =
  /\b(?:(?:good|right|convenient|suitable|bad) (?:time|moment)|(?:a|one|two|couple of|few) (?:quick )?(?:minute|moment|second)s?|free to talk|able to talk|talk (?:right )?now|speak (?:right )?now)\b/i;

/** No reply is longer. */
const MAX_QUESTION = 1000;

/** One line of single blanks, as the patterns expect it. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

export const isIdentity = (question: string): boolean => IDENTITY.test(question);
export const isGoodTime = (question: string): boolean =>
  GOOD_TIME.test(question) && AUXILIARY.test(question.replace(/^.*[,.]\s*(?=\w)/, ''));

/** The kind of a noun phrase ("preferred day", "phone number"), or null when no word shows it. */
export function nounKind(noun: string): AnswerKind | null {
  const text = noun.toLowerCase();
  if (/\bnames?\b/.test(text)) return 'name';
  if (/\b(?:date|day|dob|birthday|weekday)s?\b/.test(text)) return 'date';
  if (/\b(?:what time|time|hour|time slot|slot)\b/.test(text)) return 'time';
  if (
    inOrder(
      text,
      /\b(?:phone|mobile|contact|telephone|customer|member|membership|order|account|policy|tracking|booking|reference|ticket|pin|zip|postal|otp|verification|card|last four)\b/,
      /\b(?:number|no|code|id|digits?)\b/,
    ) ||
    /\b(?:pin ?code|zip ?code|postcode|otp|digits)\b/.test(text)
  ) {
    return 'digits';
  }
  if (
    /\b(?:number of|how many|how much|how old|how long|how often|age|budget|salary|income|amount|quantity|count|rating|score|rate|party size|size|price|percent(?:age)?|years?|number|scale)\b/.test(
      text,
    )
  ) {
    return 'number';
  }
  return null;
}

export function expectedAnswer(line: string): ExpectedAnswer {
  const question = oneLine(line.slice(-MAX_QUESTION));
  const last = question.replace(/^.*[.!]\s+(?=[A-Z])/s, '').trim();
  const bare = last.replace(
    /^(?:.*,\s+)(?=(?:are|is|do|did|can|could|will|would|have|what|which|when|how)\b)/i,
    '',
  );
  const identity = isIdentity(question);
  const base = { choices: [] as string[], slot: '', identity };
  if (identity) return { ...base, answer: 'yes_no' };
  const choices = choicesOf(bare);
  if (choices.length > 1) return { ...base, answer: 'choice', choices, slot: slotOf(bare) };
  const lower = bare.toLowerCase();
  if (
    inOrder(lower, /\b(?:rate|score|scale)\b/, /\b(?:1|one|0|zero)\b/, /\b(?:5|five|10|ten)\b/) ||
    /\bout of (?:5|five|10|ten)\b/.test(lower)
  ) {
    return { ...base, answer: 'number', slot: 'rating' };
  }
  const give =
    /^(?:could|can|would|will|may|might) (?:you|i|we)\b.*?\b(?:give|tell|share|provide|have|know|get|take|spell|say|confirm)\b(?: me| us)? (.*)/.exec(
      lower,
    );
  if (give && !/\b(?:if|whether)\b/.test(lower)) {
    const rest = give[1] ?? '';
    const kind = nounKind(rest);
    const confirming =
      /\b(?:confirm)\b/.test(lower) &&
      /\b(?:appointment|attendance|booking|order|reservation|details)\b/.test(rest);
    if (kind !== null && !confirming) return { ...base, answer: kind, slot: slotOf(rest) };
    if (/\b(?:tell me|share|describe)\b/.test(lower)) return { ...base, answer: 'free', slot: slotOf(rest) };
  }
  if (AUXILIARY.test(bare)) return { ...base, answer: 'yes_no' };
  if (/^(?:and |so |ok |okay )?when\b/.test(lower)) return { ...base, answer: 'date', slot: 'time' };
  return { ...base, answer: nounKind(lower) ?? 'free', slot: slotOf(bare) };
}

/** "What is your preferred day?" → "preferred day". */
function slotOf(question: string): string {
  const match =
    /\b(?:what|which)(?:['’]s| is| are| was)? (?:your |the |a |an )?(.+?)\??$/is.exec(question) ??
    /\bhow many (.+?)\??$/is.exec(question) ??
    /^(?:your |the |a |an )?(.+?)\??$/is.exec(question);
  const slot = (match?.[1] ?? '')
    .replace(/ (?:would|do|does|did|is|are|will|works?|can|should|suits?)\b.*$/is, '')
    .replace(/(?<![?.!,])[?.!,]+$/, '')
    .replace(/^(?:your|the)\s+/i, '')
    .trim();
  return slot.split(' ').length <= 5 ? slot.toLowerCase() : '';
}

const LEAD =
  /^.*\b(?:prefers?|between|like|want|choose|select|pick|either|is it|be|options?(?: are)?|available|interested in|looking for|using|by|in|on|with|better|best)\b[\s:,]+/i;

/** "Would you prefer morning or evening?" → ["morning", "evening"]; empty unless it reads as a list. */
export function choicesOf(question: string): string[] {
  const text = oneLine(question.slice(-MAX_QUESTION))
    .replace(/(?<![?.!])[?.!]+$/, '')
    .replace(/["“”']/g, '');
  if (!/\bor\b/i.test(text) && !inOrder(text, /\bbetween\b/i, /\band\b/i)) return [];
  if (/\bany\b|\bor not\b|\bor (?:so|more|less|older|later|something|anything|if)\b/i.test(text)) return [];
  if (
    !/\b(?:prefer|between|like|want|choose|select|pick|either|is it|which|option|better|be|what)\b/i.test(
      text,
    )
  )
    return [];
  const between = /\bbetween (.+)$/is.exec(text);
  const list = between ? (between[1] ?? '') : lastList(text);
  const parts = list
    .split(between ? / ?, ?(?:or |and )?| or | and /i : / ?, ?(?:or )?| or /i)
    .map((part) => part.replace(/^(?:the|an?|in the|in|on|to|for|by)\s+/i, '').trim())
    .filter((part) => part !== '' && !/^(?:you|me|us|them|it)$/i.test(part));
  const final = parts.pop();
  if (final !== undefined)
    parts.push(final.replace(/ (?:for|at|on|to|this|that|in|of|from) .*$/is, '').trim());
  const good =
    parts.length >= 2 &&
    parts.length <= 8 &&
    parts.every((part) => part.split(' ').length <= 4 && part.length > 1);
  return good ? parts : [];
}

function lastList(text: string): string {
  const firstBreak = text.search(/,|\bor\b/i);
  const head = text.slice(0, firstBreak);
  const lead = LEAD.exec(head)?.[0] ?? '';
  if (lead === '' && !/:/.test(head))
    return head.trim().split(' ').slice(-1).join(' ') + text.slice(firstBreak).replace(/^/, ' ');
  const start = lead === '' ? head.lastIndexOf(':') + 1 : lead.length;
  return text.slice(start);
}
