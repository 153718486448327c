import { agentSpeaking, toSecondPerson } from './person.ts';
import { nounQuestion, whQuestion, yesNoQuestion } from './question.ts';
import { spoken } from './text.ts';
import { ask, say, verbatim, type Unit } from './unit.ts';

const WHOM =
  '(?:(?:with|to|from|of)\\s+)?(?:them|him|her|him/her|(?:the|this|that|each|every|our)\\s+(?:\\w+\\s+)?(?:users?|customers?|callers?|clients?|patients?|leads?|prospects?|persons?|callees?|recipients?|guests?|candidates?|contacts?|borrowers?|subscribers?|members?|buyers?|students?|parents?|respondents?|owners?|individuals?)|users?|customers?|callers?|clients?|patients?|callees?|recipients?|guests?|candidates?|members|students|parents|subscribers|buyers|tenants|residents|visitors|applicants|prospects|people)';
const VERB = (verbs: string): RegExp =>
  new RegExp(`^(?:${verbs})\\b\\s*(?:${WHOM}\\b(?!['’]s))?[\\s,:]*(.*)`, 'is');

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

const KNOWN = [ASK, COLLECT, CONFIRM, TELL, REMIND, OFFER, INVITE, THANK, SORRY, WISH];

/** Whether a text starts with a verb that `readVerb` understands. */
export const hasKnownVerb = (text: string): boolean => KNOWN.some((verb) => verb.test(text));

/** Parses an instruction with a known verb; null for anything else. */
export function readVerb(text: string): Unit[] | null {
  if (/^see you\b/i.test(text)) return say(text);
  if (/^thank you for\b/i.test(text)) return [{ type: 'thank', text: spoken(text) }];
  const thank = THANK.exec(text);
  if (thank) return [{ type: 'thank', text: thanks(thank[1] ?? '') }];
  const sorry = SORRY.exec(text);
  if (sorry) {
    const why = toSecondPerson(sorry[1] ?? '').replace(/^for\s*/i, '');
    return say(why === '' ? 'I am sorry about that' : `I am sorry for ${why}`);
  }
  const bid = WISH.exec(text);
  if (bid) return say(`Have ${toSecondPerson(bid[1] ?? '').replace(/^(?=\S)(?!an? )/i, 'a ')}`);
  const remind = REMIND.exec(text);
  if (remind) return reminder(remind[1] ?? '');
  const offered = OFFER.exec(text);
  if (offered) return offer(offered[1] ?? '');
  const invite = INVITE.exec(text);
  if (invite)
    return [
      ask(`Would you like ${toSecondPerson(invite[1] ?? '').replace(/^(?!to\b)/i, 'to go ahead with ')}`),
    ];
  if (isManner(text)) return [{ type: 'skip' }];
  const confirm = CONFIRM.exec(text);
  if (confirm) return confirmation(confirm[1] ?? '');
  const inquire = ASK.exec(text);
  if (inquire) return questions(inquire[1] ?? '');
  const collect = COLLECT.exec(text);
  if (collect && !/^(?:note|record)\b/i.test(text))
    return questions(`for ${(collect[1] ?? '').replace(/^for\s+/i, '')}`);
  const inform = TELL.exec(text);
  if (inform) return content(inform[1] ?? '', text);
  return null;
}

/** How the agent is to talk, not what it is to say or ask: "Probe deeper on vague answers", "Validate feelings". */
const isManner = (text: string): boolean =>
  /^(?:probe|understand|see|determine|identify|validate|summari[sz]e|recap|capture|elicit|gather|reassure|emphasi[sz]e|highlight|present|respond|reply|answer|communicate|discuss)\s+(?!(?:them|him|her|the|their|his|your|our|that|what|which|who|whether|if|when|where|why|how|all|any|an?|with|back|to|on|about|for)\b)(?:\w+ly|deeper|further|more|feelings?|emotions?|objections?|concerns|needs|pain points|decision makers|urgency|value|benefits|empathy|empathetically)\b/i.test(
    text,
  ) ||
  /\bwithout (?:sounding|being|pushing|making)\b|, (?:never|not more than|at most)\b|\b(?:where|if|when) possible\b/i.test(
    text,
  );

function thanks(rest: string): string {
  const what = toSecondPerson(rest.replace(/^(?:warmly|politely|sincerely|again)\b\s*/i, ''))
    .replace(/^for\s*/i, '')
    .replace(/(?<!\s)\s+and\s.*$/is, '');
  return spoken(
    what === '' ? 'Thank you for your time' : `Thank you for ${what.replace(/^(?:you)\b/i, 'your time')}`,
  );
}

function reminder(rest: string): Unit[] {
  const to = /^to\s+(\S.*)$/is.exec(rest);
  if (to) return say(`Please remember to ${toSecondPerson(to[1] ?? '')}`);
  const that = /^that\s+(\S.*)$/is.exec(rest);
  if (that)
    return say(`I would like to remind you that ${toSecondPerson(that[1] ?? '').replace(/^You\b/, 'you')}`);
  const what = toSecondPerson(rest.replace(/^(?:of|about|regarding)\s+/i, ''));
  return what === '' ? [] : say(`I would like to remind you about ${what}`);
}

function offer(rest: string): Unit[] {
  const to = /^to\s+(\S.*)$/is.exec(rest);
  if (to) return [ask(`Would you like me to ${toSecondPerson(to[1] ?? '')}`)];
  const that = /^(?:that\s+)?(?:they|you)\s+(\S.*)$/is.exec(rest);
  if (that) return [ask(`Would you like to ${toSecondPerson(that[1] ?? '')}`)];
  const what = toSecondPerson(rest).replace(/^(?:you)\s+/i, '');
  if (what === '') return [];
  if (/\bor\b/i.test(what)) return [ask(`Would you prefer ${what}`)];
  return [...say(`I can offer you ${what}`), ask('Would you like that')];
}

function confirmation(rest: string): Unit[] {
  const clause = /^(?:if|whether|that)\s+(\S.*)$/is.exec(rest);
  if (clause) return [ask(yesNoQuestion(clause[1] ?? ''))];
  if (/^(?:what|which|when|where|how)\b/i.test(rest)) return [ask(whQuestion(rest))];
  if (/^(?:you are|you['’]re)\s+(?:speaking|talking)/i.test(rest)) return [ask(yesNoQuestion(rest))];
  if (/^(?:(?:their|his|her|the|your)\s+)?(?:identity|name)$/i.test(rest)) return questions('for their name');
  const what = toSecondPerson(rest)
    .replace(/^(?:with|to|back)\s+(?:you\s*)?/i, '')
    .replace(/^you\b\s*/i, '');
  const noun =
    what === '' ? 'the details' : what.replace(/^(?!your|the|my|our|this|that|all|an?\b)/i, 'the ');
  return [{ type: 'confirm', question: spoken(`Can you confirm ${noun.replace(/(?<![.?!])[.?!]+$/, '')}?`) }];
}

/** Parses the rest of "Ask (them) …". */
function questions(rest: string): Unit[] {
  const text = rest.replace(/(?<![\s.;])[\s.;]+$/, '');
  if (text === '' || /^(?:the\s+)?(?:following|below)\b/i.test(text)) return [{ type: 'list_follows' }];
  const clause = /^(?:if|whether)\s+(\S.*)$/is.exec(text);
  if (clause) return [ask(yesNoQuestion(clause[1] ?? ''))];
  if (/^(?:what|which|when|where|who|why|how)\b/i.test(text)) return [ask(whQuestion(text))];
  const to = /^to\s+(\S.*)$/is.exec(text);
  if (to) return [ask(`Could you please ${toSecondPerson(to[1] ?? '')}`)];
  if (/^(?:is|are|do|does|did|can|could|will|would|have|has|may|should)\b/i.test(text))
    return [ask(toSecondPerson(text))];
  const about = /^(?:about|regarding|on)\s+(\S.*)$/is.exec(text);
  if (about) {
    const what = toSecondPerson(about[1] ?? '').replace(/^(?!your|the|any|an?|our|this)/i, 'your ');
    return [ask(`Could you tell me about ${what}`)];
  }
  const noun = text.replace(/^for\s+/i, '');
  return splitNouns(noun).map((part) => ask(nounQuestion(part)));
}

/** Splits "name, day and time" into three nouns when each is short and has an answer kind. */
function splitNouns(noun: string): string[] {
  const parts = noun
    .split(/(?:(?<!\s)\s+)?,\s*(?:and\s+)?|(?<!\s)\s+and\s+|(?:(?<!\s)\s+)?&\s*/i)
    .filter((part) => part.trim() !== '');
  const short =
    parts.length > 1 && parts.length <= 6 && parts.every((part) => part.trim().split(/\s+/).length <= 5);
  return short ? parts : [noun];
}

/** Parses the rest of "Tell (them) …": content is spoken, a mere subject is announced. */
function content(rest: string, whole: string): Unit[] {
  const text = agentSpeaking(rest)
    .replace(/^(?:me|us)\s+/i, '')
    .replace(/^(?:know|be aware)\b\s*/i, '')
    .replace(/^(?:clearly|briefly|politely)\s+/i, '');
  const that = /^(?:that|:)\s*(\S.*)$/is.exec(text);
  if (that) return say(toSecondPerson(that[1] ?? ''));
  const to = /^to\s+(\S.*)$/is.exec(text);
  if (to) return say(`Please ${toSecondPerson(to[1] ?? '')}`);
  const about = /^(?:about|of|regarding|on)\s+(\S.*)$/is.exec(text);
  if (about) return say(`I would like to tell you about ${toSecondPerson(about[1] ?? '')}`);
  if (text.trim() === '') return [];
  if (/^(?:thanks|thank you)\b/i.test(text)) return [{ type: 'thank', text: 'Thank you for your time.' }];
  // How to answer, not what.
  if (/^(?:answer|respond|reply)\b/i.test(whole)) return [];
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
