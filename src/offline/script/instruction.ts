import { inOrder } from '@callwright/language';
import { hasKnownVerb, readVerb } from './instruction-verbs.ts';
import { toSecondPerson } from './person.ts';
import { nounQuestion } from './question.ts';
import { capitalise, isLatin } from './text.ts';
import { hasPluralSubject, isLikeSpeech, isShortSpeech, isToCaller } from './speech-like.ts';
import { toolNamed } from './tools.ts';
import { ask, say, verbatim, type Unit } from './unit.ts';

const SPLIT =
  'ask|tell|inform|thank|say|end|close|hang|confirm|offer|collect|note|record|schedule|apologi[sz]e|wish|politely|let|remind|' +
  'explain|get|take|transfer|proceed|move|go|verify|find|check|share|mention|repeat|greet|introduce|request|enquire|' +
  "inquire|wait|continue|provide|give|respond|answer|acknowledge|conclude|finish|disconnect|bid|book|reschedule|arrange|do not|don't";
const JOINT = new RegExp(
  `(?:,\\s*(?:and\\s+)?(?:then\\s+)?|(?<!\\s)\\s+and\\s+(?:then\\s+)?|;\\s*(?:then\\s+)?|(?<!\\s)\\s+then\\s+)(?=(?:${SPLIT})\\b)`,
  'i',
);

const GERUNDS: Readonly<Record<string, string>> = {
  greeting: 'greet',
  asking: 'ask',
  telling: 'tell',
  introducing: 'introduce',
  thanking: 'thank',
  confirming: 'confirm',
  informing: 'inform',
  saying: 'say',
  ending: 'end',
  verifying: 'verify',
  explaining: 'explain',
  collecting: 'collect',
  reminding: 'remind',
  offering: 'offer',
  checking: 'check',
};

/** "You can reply to this number": what callers do, and agents do not. */
const PERMISSION =
  /^you (?:can|may) (?:also |then |always |simply |just )?(?:reply|call|visit|pay|reach|contact|return|cancel|track|download|log|sign|apply|come|drop|choose|pick|see|find|order|scan|upload|register|subscribe|write|text)\b/i;
/** "Please keep your card ready": a request to the caller. */
const REQUEST = /^(?:please|kindly)\s+(?=\S)/i;

/** "You will receive a message": said to the caller, unlike "You will ask for their name". */
export function isPromise(text: string): boolean {
  if (PERMISSION.test(text)) return !ABOUT_CALLER.test(text);
  const rest = /^you (?:will|can) (?:then |also |first |politely )?(\S.*)$/is.exec(text)?.[1];
  return rest !== undefined && !isImperative(rest) && !NOT_SPOKEN.test(rest);
}

const isRequest = (sentence: string): boolean => {
  const rest = sentence.trim().replace(REQUEST, '');
  return rest !== sentence.trim() && isToCaller(rest) && !ABOUT_CALLER.test(rest) && !hasKnownVerb(rest);
};

/** Strips the frame of an instruction ("First, please …", "The agent should …"). */
function core(sentence: string): string {
  let text = sentence.trim();
  for (let round = 0; round < 4; round++) {
    const before = text;
    if (isPromise(text)) break;
    text = text
      .replace(/^(?:step\s*\d+\s*[:.)-]\s*)/i, '')
      .replace(
        /^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|finally|lastly|after that|afterwards|once (?:done|confirmed|that is done)|now|also|and|at the end|to (?:begin|start|close|end)(?: the call)?|in the end)\b[\s,:]+/i,
        '',
      )
      .replace(
        /^(?:please|politely|kindly|gently|briefly|immediately|simply|just|always|warmly|clearly|quickly|again)\s+/i,
        '',
      )
      .replace(
        /^(?:you|the (?:agent|bot|assistant|ai)|agent|bot|assistant)\s+(?:should|must|will|need to|needs to|have to|has to|can|shall)\s+(?:then\s+|also\s+|first\s+|politely\s+)?/i,
        '',
      )
      .replace(/^(?:start|begin|open|end|finish|close)(?: the (?:call|conversation))? by\s+/i, '')
      .replace(/^your (?:task|job|goal) is to\s+/i, '')
      .trim();
    if (text === before) break;
  }
  return text.replace(/^([a-z]+ing)\b/i, (word) => GERUNDS[word.toLowerCase()] ?? word);
}

const QUOTE = /["“]([^"“”]{1,500})["”]/g;

/** Quoted speech of at least three words, or with a sentence ending, is spoken verbatim. */
function quotedSpeech(sentence: string): string[] {
  const quotes = [...sentence.matchAll(QUOTE)].map((match) => (match[1] ?? '').trim());
  const whole = quotes.filter(
    (quote) => /[.!?।。？]$/u.test(quote) || quote.split(/\s+/).length >= 3 || !isLatin(quote),
  );
  return whole.filter((quote) => /[\p{L}\p{N}]/u.test(quote));
}

/** Parses a script sentence into units. `asking`: the sentence is in a list of questions. */
export function readInstruction(sentence: string, asking: boolean): Unit[] {
  const tool = toolNamed(sentence);
  if (tool !== null) return [{ type: 'tool', name: tool }];
  const quotes = quotedSpeech(sentence);
  if (quotes.length > 0) {
    const units = quotes.map(verbatim);
    const around = core(sentence.replace(QUOTE, ' '));
    if (endsCall(around)) units.push({ type: 'close', text: '' });
    return units;
  }
  if (isRequest(sentence)) return say(capitalise(sentence));
  const plain = core(sentence.replace(/["“”]/g, ''));
  const colon =
    /^(?:ask|say|tell|state|mention|reply|respond|answer|inquire|enquire|greet|close|end)(?:\s+(?:with|them|him|her|the (?:user|customer|caller|client|patient)))*\s*[:–—]\s*(\S.*)$/is.exec(
      plain,
    );
  if (colon && !/^(?:the\s+)?following/i.test(colon[1] ?? '')) return [verbatim(colon[1] ?? '')];
  const units: Unit[] = [];
  let rest = plain;
  for (let part = 0; part < 8 && rest !== ''; part++) {
    const joint = isImperative(rest) ? JOINT.exec(rest) : null;
    const head = joint ? rest.slice(0, joint.index) : rest;
    rest = joint ? rest.slice(joint.index + joint[0].length) : '';
    units.push(...single(core(head), asking));
  }
  return units;
}

/** A command: "the end" and "customers finish it" are none. */
const endsCall = (text: string): boolean =>
  /(?:^|,\s*|\b(?:and|then|to|please|politely|gracefully|warmly|simply|just)\s+)(?:end|close|finish|conclude|terminate|disconnect|hang up|wrap up)\b(?:\s+(?:up\b|the|this|it|call|conversation|politely|on|with|by|there)|[.,;!]?$)/i.test(
    text.trim(),
  ) && !/\b(?:do not|don['’]t|never|before|until|without)\b/i.test(text);

const isImperative = (text: string): boolean =>
  hasKnownVerb(text) ||
  /^(?:greet|welcome|introduce|schedule|book|note|wait|listen|transfer|acknowledge|end|close|proceed|arrange|reschedule|log)\b/i.test(
    text,
  );

function single(text: string, asking: boolean): Unit[] {
  const bare = text.replace(/(?<![\s.;,])[\s.;,]+$/, '');
  if (bare === '') return [];
  const step =
    /^(?:go|skip|move|jump|proceed|return|continue)(?:\s+(?:back|on|ahead|over|forward|directly|straight))?\s+(?:to|with|from)\s+(?:(?:step|question|point|part)\s*)?#?(\d{1,2})\b/i.exec(
      bare,
    );
  if (step) return [{ type: 'goto', label: Number(step[1]) }];
  if (
    /^(?:ask|collect|gather|get|cover|confirm|obtain|request|capture)\b.*\b(?:following|below|these)\b|^(?:ask|collect|gather|get|cover|obtain|capture)\b[^,]*:$/i.test(
      bare,
    )
  ) {
    return [{ type: 'list_follows' }];
  }
  if (
    /^(?:say|bid|wish|conclude with|close with)\s+(?:\w+\s+){0,2}(?:good\s?-?bye|bye|farewell)\b/i.test(
      bare,
    ) ||
    endsCall(bare)
  ) {
    return [{ type: 'close', text: '' }];
  }
  if (
    inOrder(
      bare,
      /\b(?:transfer|connect|escalate|hand over|route|put)\b/i,
      /\b(?:human|agent|representative|executive|manager|team|supervisor|specialist|person|staff|through|call)\b/i,
    ) &&
    /^(?:transfer|connect|escalate|hand|route|put)\b/i.test(bare)
  ) {
    return [{ type: 'transfer' }];
  }
  if (
    inOrder(
      bare,
      /\b(?:schedule|arrange|set up|book|offer)\b/i,
      /\b(?:call ?back|call-back|follow[- ]?up call)\b/i,
    ) ||
    inOrder(
      bare,
      /\b(?:when|good time|best time|convenient time)\b/i,
      /\bcall (?:them |him |her |you )?(?:back|again|later)\b/i,
    )
  ) {
    return [{ type: 'callback' }];
  }
  if (
    /^(?:greet|welcome)\b/i.test(bare) ||
    /^introduce (?:yourself|self|the (?:company|agent|clinic))\b/i.test(bare)
  ) {
    return [{ type: 'greet' }];
  }
  return readVerb(bare) ?? statement(bare, asking);
}

const NOT_SPOKEN =
  /^(?:wait|listen|acknowledge|note|record|log|use|be|keep|ensure|make sure|do not|don['’]t|never|avoid|handle|speak|talk|remember|update|mark|proceed|continue|move|go|follow|stay|maintain|allow|pause|try|only|if|when|unless|once|after|before|during|while|in case|respond|repeat|act|treat|adapt|adjust|limit|refer|show|sound|remain|respect|pronounce|pay|focus|build|establish|empathi[sz]e|match|return|stop|start|begin|call|dial|send|save|store|submit|trigger|execute|perform|complete|address|resolve|help|assist|guide|support|set|read|write|pick|choose|select|qualify|schedule|book|reschedule|arrange|process|place|cancel|leave|attempt|probe|tailor|customi[sz]e|switch|language|tone|style|objective|note that)\b/i;
const ABOUT_CALLER =
  /\b(?:the\s+)?(?:user|customer|caller|client|patient|callee|prospect|recipient|respondent)s?\b|\b(?:they|them|their|he|she|his|her|him)\b/i;
const ABOUT_AGENT =
  /\bthe (?:agent|bot|assistant|conversation|prompt|script|persona)\b|^(?:agent|bot|assistant)\b/i;

/** "First, politely": before a command. */
const MANNER = /^(?:first|then|next|also|always|please|kindly|just|\w{1,20}ly)\b[,\s]*/i;

/** Whether a line tells the agent what to do or to be, rather than a fact. */
export function isCommand(text: string): boolean {
  let bare = text.trim();
  for (let round = 0; round < 4; round++) bare = bare.replace(MANNER, '');
  return isImperative(bare) || NOT_SPOKEN.test(bare) || ABOUT_AGENT.test(bare) || endsCall(bare);
}

/** "Payment links expire after two hours": no command has a noun in the plural before its verb. */
const isPluralStatement = (text: string): boolean => !isImperative(text) && hasPluralSubject(text);

/** Parses a sentence without a known instruction: speech, a subject to ask about, or nothing speakable. */
function statement(text: string, asking: boolean): Unit[] {
  if (text.endsWith('?')) return [ask(toSecondPerson(text))];
  const count = text.split(/\s+/).length;
  if (/^(?:schedule|book|reschedule|arrange|process|place|cancel)\b/i.test(text))
    return say('I have noted that');
  if (/^(?:note|record|log)\b/i.test(text) || NOT_SPOKEN.test(text) || ABOUT_AGENT.test(text))
    return [{ type: 'skip' }];
  if (/^(?:closing|close|goodbye|farewell|end|ending|end of call|wrap[- ]?up)\s*:?$/i.test(text))
    return [{ type: 'close', text: '' }];
  if (/^(?:greeting|introduction|intro|opening|welcome)s?\s*:?$/i.test(text)) return [{ type: 'greet' }];
  if (text.endsWith(':')) return [{ type: 'skip' }];
  const title =
    count <= 5 &&
    !isShortSpeech(text) &&
    !isPluralStatement(text) &&
    !/\b(?:you|your|we|our|us|me|my|i|is|are|will|thank|thanks|hello|hi|please)\b/i.test(text);
  if (title) {
    if (asking || wantsAnswer(text)) return [ask(nounQuestion(text))];
    return [{ type: 'skip' }];
  }
  if (ABOUT_CALLER.test(text) || !(isLikeSpeech(text) || isPluralStatement(text))) return [{ type: 'skip' }];
  return say(capitalise(text));
}

const wantsAnswer = (title: string): boolean =>
  /^(?:(?:preferred|full|your|their|the|first|last|contact|phone|mobile)\s+)*(?:names?|date|day|time|number|budget|age|address|email|city|location|party size)$/i.test(
    title,
  );
