import { wantedBy } from './answer-kind.ts';
import { agentSpeaking, toSecondPerson } from './person.ts';
import { nounQuestion, whQuestion, yesNoQuestion } from './question.ts';
import { capitalise, isLatin, spoken } from './text.ts';
import { toolNamed } from './tools.ts';
import type { AnswerKind } from './script.ts';

/** One thing to do on the call, read from an instruction. */
export type Unit =
  | { type: 'say'; text: string }
  | {
      type: 'ask';
      question: string;
      answer: AnswerKind;
      choices: readonly string[];
      slot: string;
      identity: boolean;
    }
  | { type: 'confirm'; question: string }
  | { type: 'greet' }
  | { type: 'thank'; text: string }
  | { type: 'callback' }
  | { type: 'transfer' }
  | { type: 'tool'; name: string }
  | { type: 'close'; text: string }
  | { type: 'goto'; label: number }
  /** "Ask the following:" – what is listed below are things to ask. */
  | { type: 'list_follows' }
  | { type: 'skip' };

const SPLIT =
  'ask|tell|inform|thank|say|end|close|hang|confirm|offer|collect|note|record|schedule|apologi[sz]e|wish|politely|let|remind|' +
  'explain|get|take|transfer|proceed|move|go|verify|find|check|share|mention|repeat|greet|introduce|request|enquire|' +
  "inquire|wait|continue|provide|give|respond|answer|acknowledge|conclude|finish|disconnect|bid|book|reschedule|arrange|do not|don't";
const JOINT = new RegExp(
  `(?:,\\s*(?:and\\s+)?(?:then\\s+)?|\\s+and\\s+(?:then\\s+)?|;\\s*(?:then\\s+)?|\\s+then\\s+)(?=(?:${SPLIT})\\b)`,
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

/** Removes what surrounds an instruction without being part of it ("First, please …", "The agent should …"). */
function core(sentence: string): string {
  let text = sentence.trim();
  for (let round = 0; round < 4; round++) {
    const before = text;
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

/** Quoted speech of at least three words, or ending like a sentence, is said word for word. */
function quotedSpeech(sentence: string): string[] {
  const quotes = [...sentence.matchAll(QUOTE)].map((match) => (match[1] ?? '').trim());
  const whole = quotes.filter(
    (quote) => /[.!?।。？]$/u.test(quote) || quote.split(/\s+/).length >= 3 || !isLatin(quote),
  );
  return whole.filter((quote) => /[\p{L}\p{N}]/u.test(quote));
}

/** A sentence of a script as units. `asking`: it stands in a list of things to ask. */
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
  const plain = core(sentence.replace(/["“”]/g, ''));
  const colon =
    /^(?:ask|say|tell|state|mention|reply|respond|answer|inquire|enquire|greet|close|end)(?:\s+(?:with|them|him|her|the (?:user|customer|caller|client|patient)))*\s*[:–—]\s*(.+)$/is.exec(
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

export function verbatim(text: string): Unit {
  const line = spoken(text);
  if (line === '') return { type: 'skip' };
  return line.endsWith('?')
    ? { type: 'ask', question: line, ...wantedBy(line) }
    : { type: 'say', text: line };
}

const asked = (question: string): Unit => {
  const line = spoken(question).replace(/[.!?]*$/, '?');
  return { type: 'ask', question: line, ...wantedBy(line) };
};

const WHOM =
  '(?:(?:with|to|from|of)\\s+)?(?:them|him|her|him/her|(?:the|this|that|each|every|our)\\s+(?:\\w+\\s+)?(?:users?|customers?|callers?|clients?|patients?|leads?|prospects?|persons?|callees?|recipients?|guests?|candidates?|contacts?|borrowers?|subscribers?|members?|buyers?|students?|parents?|respondents?|owners?|individuals?)|users?|customers?|callers?|clients?|patients?|callees?|recipients?|guests?|candidates?)';
const VERB = (verbs: string): RegExp =>
  new RegExp(`^(?:${verbs})\\b\\s*(?:${WHOM}\\b(?!['’]s))?[\\s,:]*(.*)$`, 'is');

const ASK = VERB(
  'ask|enquire|inquire|find out|check|query|question|clarify|determine|learn|probe|understand|figure out|see',
);
const COLLECT = VERB(
  'collect|get|obtain|request|take(?: down)?|gather|capture|elicit|identify|note down|record',
);
const CONFIRM = VERB(
  'confirm|verify|reconfirm|double[- ]check|recap|summari[sz]e|repeat back|read back|validate',
);
const TELL = VERB(
  'tell|inform|let|explain|mention|state|say|share|notify|advise|update|assure|reassure|convey|communicate|announce|emphasi[sz]e|highlight|describe|present|pitch|discuss|provide|give|brief|apprise|respond|reply|answer|outline|clarify|introduce|point out',
);
const REMIND = VERB('remind');
const OFFER = VERB('offer|suggest|propose|recommend');
const INVITE = VERB('invite|encourage|persuade|convince|urge');
const THANK = VERB('thank|appreciate|express (?:gratitude|thanks)');
const SORRY = VERB('apologi[sz]e');
const WISH = VERB('wish|bid');

const endsCall = (text: string): boolean =>
  /\b(?:end|close|finish|conclude|terminate|disconnect|hang up|wrap up)\b(?:\s+(?:up\b|the|this|it|call|conversation|politely|on|with|by|there)|[.,;!]?$)/i.test(
    text,
  ) && !/\b(?:do not|don['’]t|never|before|until|without)\b/i.test(text);

const isImperative = (text: string): boolean =>
  [ASK, COLLECT, CONFIRM, TELL, REMIND, OFFER, INVITE, THANK, SORRY, WISH].some((verb) => verb.test(text)) ||
  /^(?:greet|welcome|introduce|schedule|book|note|wait|listen|transfer|acknowledge|end|close|proceed|arrange|reschedule|log)\b/i.test(
    text,
  );

function single(text: string, asking: boolean): Unit[] {
  const bare = text.replace(/[\s.;,]+$/, '');
  if (bare === '') return [];
  const step =
    /^(?:go|skip|move|jump|proceed|return|continue)(?:\s+(?:back|on|ahead|over|forward|directly|straight))?\s+(?:to|with|from)\s+(?:step|question|point|part)?\s*#?(\d{1,2})\b/i.exec(
      bare,
    );
  if (step) return [{ type: 'goto', label: Number(step[1]) }];
  if (
    /^(?:ask|collect|gather|get|cover|confirm|obtain|request|capture)\b.*\b(?:(?:the )?following|below|these)\b.*:?$|^(?:ask|collect|gather|get|cover|obtain|capture)\b[^,]*:$/i.test(
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
    /\b(?:transfer|connect|escalate|hand over|route|put)\b.*\b(?:human|agent|representative|executive|manager|team|supervisor|specialist|person|staff|through|call)\b/i.test(
      bare,
    ) &&
    /^(?:transfer|connect|escalate|hand|route|put)\b/i.test(bare)
  ) {
    return [{ type: 'transfer' }];
  }
  if (
    /\b(?:schedule|arrange|set up|book|offer)\b.*\b(?:call ?back|call-back|follow[- ]?up call)\b|\b(?:when|good time|best time|convenient time)\b.*\bcall (?:them |him |her |you )?(?:back|again|later)\b/i.test(
      bare,
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
  return told(bare) ?? statement(bare, asking);
}

/** Instructions with a verb the engine knows; null for anything else. */
function told(text: string): Unit[] | null {
  const thank = THANK.exec(text);
  if (thank) return [{ type: 'thank', text: thanks(thank[1] ?? '') }];
  const sorry = SORRY.exec(text);
  if (sorry) {
    const why = toSecondPerson(sorry[1] ?? '').replace(/^for\s*/i, '');
    return say(why === '' ? 'I am sorry about that' : `I am sorry for ${why}`);
  }
  const wish = WISH.exec(text);
  if (wish) return say(`Have ${toSecondPerson(wish[1] ?? '').replace(/^(?=\S)(?!an? )/i, 'a ')}`);
  const remind = REMIND.exec(text);
  if (remind) return reminder(remind[1] ?? '');
  const offer = OFFER.exec(text);
  if (offer) return offered(offer[1] ?? '');
  const invite = INVITE.exec(text);
  if (invite)
    return [
      asked(`Would you like ${toSecondPerson(invite[1] ?? '').replace(/^(?!to\b)/i, 'to go ahead with ')}`),
    ];
  const confirm = CONFIRM.exec(text);
  if (confirm) return confirmed(confirm[1] ?? '');
  const ask = ASK.exec(text);
  if (ask) return questions(ask[1] ?? '');
  const collect = COLLECT.exec(text);
  if (collect && !/^(?:note|record)\b/i.test(text))
    return questions(`for ${(collect[1] ?? '').replace(/^for\s+/i, '')}`);
  const tell = TELL.exec(text);
  if (tell) return content(tell[1] ?? '', text);
  return null;
}

const say = (text: string): Unit[] => {
  const line = spoken(text);
  return line === '' ? [] : [{ type: 'say', text: line }];
};

function thanks(rest: string): string {
  const what = toSecondPerson(rest.replace(/^(?:warmly|politely|sincerely|again)\b\s*/i, ''))
    .replace(/^for\s*/i, '')
    .replace(/\s+and\s+.*$/i, '');
  return spoken(
    what === '' ? 'Thank you for your time' : `Thank you for ${what.replace(/^(?:you)\b/i, 'your time')}`,
  );
}

function reminder(rest: string): Unit[] {
  const to = /^to\s+(.+)$/is.exec(rest);
  if (to) return say(`Please remember to ${toSecondPerson(to[1] ?? '')}`);
  const that = /^that\s+(.+)$/is.exec(rest);
  if (that)
    return say(`I would like to remind you that ${toSecondPerson(that[1] ?? '').replace(/^You\b/, 'you')}`);
  const what = toSecondPerson(rest.replace(/^(?:of|about|regarding)\s+/i, ''));
  return what === '' ? [] : say(`I would like to remind you about ${what}`);
}

function offered(rest: string): Unit[] {
  const to = /^to\s+(.+)$/is.exec(rest);
  if (to) return [asked(`Would you like me to ${toSecondPerson(to[1] ?? '')}`)];
  const that = /^(?:that\s+)?(?:they|you)\s+(.+)$/is.exec(rest);
  if (that) return [asked(`Would you like to ${toSecondPerson(that[1] ?? '')}`)];
  const what = toSecondPerson(rest).replace(/^(?:you)\s+/i, '');
  if (what === '') return [];
  if (/\bor\b/i.test(what)) return [asked(`Would you prefer ${what}`)];
  return [...say(`I can offer you ${what}`), asked('Would you like that')];
}

function confirmed(rest: string): Unit[] {
  const clause = /^(?:if|whether|that)\s+(.+)$/is.exec(rest);
  if (clause) return [asked(yesNoQuestion(clause[1] ?? ''))];
  if (/^(?:what|which|when|where|how)\b/i.test(rest)) return [asked(whQuestion(rest))];
  if (/^(?:you are|you['’]re)\s+(?:speaking|talking)/i.test(rest)) return [asked(yesNoQuestion(rest))];
  if (/^(?:(?:their|his|her|the|your)\s+)?(?:identity|name)$/i.test(rest)) return questions('for their name');
  const what = toSecondPerson(rest)
    .replace(/^(?:with|to|back)\s+(?:you\s*)?/i, '')
    .replace(/^you\b\s*/i, '');
  const noun =
    what === '' ? 'the details' : what.replace(/^(?!your|the|my|our|this|that|all|an?\b)/i, 'the ');
  return [{ type: 'confirm', question: spoken(`Can you confirm ${noun.replace(/[.?!]+$/, '')}?`) }];
}

/** What follows "Ask (them) …". */
function questions(rest: string): Unit[] {
  const text = rest.replace(/[\s.;]+$/, '');
  if (text === '' || /^(?:the\s+)?(?:following|below)\b/i.test(text)) return [{ type: 'list_follows' }];
  const clause = /^(?:if|whether)\s+(.+)$/is.exec(text);
  if (clause) return [asked(yesNoQuestion(clause[1] ?? ''))];
  if (/^(?:what|which|when|where|who|why|how)\b/i.test(text)) return [asked(whQuestion(text))];
  const to = /^to\s+(.+)$/is.exec(text);
  if (to) return [asked(`Could you please ${toSecondPerson(to[1] ?? '')}`)];
  if (/^(?:is|are|do|does|did|can|could|will|would|have|has|may|should)\b/i.test(text))
    return [asked(toSecondPerson(text))];
  const about = /^(?:about|regarding|on)\s+(.+)$/is.exec(text);
  if (about) {
    const what = toSecondPerson(about[1] ?? '').replace(/^(?!your|the|any|an?|our|this)/i, 'your ');
    return [asked(`Could you tell me about ${what}`)];
  }
  const noun = text.replace(/^for\s+/i, '');
  return listed(noun).map((part) => asked(nounQuestion(part)));
}

/** "name, day and time" as three nouns when each is short and names something askable. */
function listed(noun: string): string[] {
  const parts = noun.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/i).filter((part) => part.trim() !== '');
  const short =
    parts.length > 1 && parts.length <= 6 && parts.every((part) => part.trim().split(/\s+/).length <= 5);
  return short ? parts : [noun];
}

/** What follows "Tell (them) …": said when it has content, announced when it is only a subject. */
function content(rest: string, whole: string): Unit[] {
  const text = agentSpeaking(rest)
    .replace(/^(?:me|us)\s+/i, '')
    .replace(/^(?:know|be aware)\b\s*/i, '')
    .replace(/^(?:clearly|briefly|politely)\s+/i, '');
  const that = /^(?:that|:)\s*(.+)$/is.exec(text);
  if (that) return say(toSecondPerson(that[1] ?? ''));
  const to = /^to\s+(.+)$/is.exec(text);
  if (to) return say(`Please ${toSecondPerson(to[1] ?? '')}`);
  const about = /^(?:about|of|regarding|on)\s+(.+)$/is.exec(text);
  if (about) return say(`I would like to tell you about ${toSecondPerson(about[1] ?? '')}`);
  if (text.trim() === '') return [];
  if (/^(?:thanks|thank you)\b/i.test(text)) return [{ type: 'thank', text: 'Thank you for your time.' }];
  if (/^(?:say|state)\b/i.test(whole)) return [verbatim(toSecondPerson(text))];
  if (
    /^(?:what|which|when|where|who|why|how|if|whether|accordingly|appropriately|politely|with)\b/i.test(text)
  )
    return [];
  if (
    /\b(?:is|are|was|were|will|has|have|can|costs?|starts?|ends?|opens?|takes?|includes?|must|should|may)\b/i.test(
      text,
    )
  ) {
    return say(toSecondPerson(text));
  }
  const what = toSecondPerson(text).replace(/^you\b\s*/i, '');
  return what === '' ? [] : say(`I would like to tell you about ${what}`);
}

const NOT_SPOKEN =
  /^(?:wait|listen|acknowledge|note|record|log|use|be|keep|ensure|make sure|do not|don['’]t|never|avoid|handle|speak|talk|remember|update|mark|proceed|continue|move|go|follow|stay|maintain|allow|pause|try|only|if|when|unless|once|after|before|during|while|in case|respond|repeat|act|treat|adapt|adjust|limit|refer|show|sound|remain|respect|pronounce|pay|focus|build|establish|empathi[sz]e|match|return|stop|start|begin|call|dial|send|save|store|submit|trigger|execute|perform|complete|address|resolve|help|assist|guide|support|set|read|write|pick|choose|select|qualify|schedule|book|reschedule|arrange|process|place|cancel|leave|attempt|probe|tailor|customi[sz]e|switch|language|tone|style|objective|note that)\b/i;
const ABOUT_CALLER =
  /\b(?:the\s+)?(?:user|customer|caller|client|patient|callee|prospect|recipient|respondent)s?\b|\b(?:they|them|their|he|she|his|her|him)\b/i;
const ABOUT_AGENT =
  /\bthe (?:agent|bot|assistant|conversation|prompt|script|persona)\b|^(?:agent|bot|assistant)\b/i;

/** A sentence that is no instruction the engine knows: speech, a subject to ask about, or nothing to say. */
function statement(text: string, asking: boolean): Unit[] {
  if (text.endsWith('?')) return [asked(toSecondPerson(text))];
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
    count <= 5 && !/\b(?:you|your|we|our|i|is|are|will|thank|thanks|hello|hi|please)\b/i.test(text);
  if (title) {
    if (asking || wantsAnswer(text)) return [asked(nounQuestion(text))];
    return [{ type: 'skip' }];
  }
  if (ABOUT_CALLER.test(text)) return [{ type: 'skip' }];
  return say(capitalise(text));
}

const wantsAnswer = (title: string): boolean =>
  /^(?:(?:preferred|full|your|their|the|first|last|contact|phone|mobile)\s+)*(?:names?|date|day|time|number|budget|age|address|email|city|location|party size)$/i.test(
    title,
  );

const RAW =
  /\b(?:ask|tell|inform|remind|thank|greet|confirm with|let|offer|enquire|inquire|instruct|advise|notify)\s+(?:(?:the|this|your|each|every)\s+)?(?:user|customer|caller|client|patient|callee|prospect|recipient|them|him|her)\b/i;

/** Whether a line may be said aloud: false for what still reads as an instruction. */
export const isSpeakable = (text: string): boolean => !RAW.test(text);
