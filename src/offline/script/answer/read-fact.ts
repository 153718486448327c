import { isCommand, isPromise, readInstruction } from '../instruction.ts';
import { toSecondPerson } from '../person.ts';
import { ABOUT_TASK, hasPluralSubject, isLikeSpeech } from '../speech-like.ts';
import { capitalise, spoken } from '../text.ts';

/** What an instruction to speak says of no fact. */
const EMPTY =
  /^(?:I would like to tell you about|I have noted|I am sorry|Sorry|Thank|Thanks|Hello|Hi\b|Good (?:morning|afternoon|evening|day)|Have an? |Goodbye|Great\b|Okay|Sure|Please hold|I am calling|We look forward|See you|No problem|Perfect|Wonderful|Welcome)/i;
const REMINDER = /^I would like to remind you (?:that\s+)?/i;
const SECRET =
  /^(?:(?:please|always|also)\s+)?(?:do not|don['’]t|never|avoid)\b|\b(?:internal(?:ly)?|confidential|secret|off the record|never|do not (?:tell|mention|say|reveal|discuss|share|promise|give|offer)|don['’]t (?:tell|mention|say|reveal|discuss|share|promise|give|offer))\b/i;
/** "You answer calls": what the agent is and does. */
const OF_AGENT =
  /^(?:(?:as|being) (?:an?|the)\b|you(?:['’]re| are| work| help| answer| speak| handle| take| call| represent| assist| act| have to| need to| must| should| will be)\b|your (?:goal|name|role|task|job|tone|style)|this (?:is an?|prompt|agent|assistant|script|call)\b|(?:he|she)\b|remember\b|the (?:caller|customer|user|client) (?:is|has|wants|may|might|will|asks?)\b)/i;
/** The manner of the talk, whose subjects no caller asks about. */
const OF_TALK =
  /^(?:the |all |your |our |its |each )?(?:answers?|responses?|repl(?:y|ies)|sentences?|questions?|objections?|calls?|conversations?|greetings?|success|politeness|patience|tone|style|empathy|steps?|sections?)\b.*\b(?:is|are|should|must|may|might|can|needs?)\b|^it is (?:important|essential|vital|crucial|best|key)\b|^(?:callers|customers|users|leads|people|patients|clients) (?:are (?:often|usually|sometimes)|may be|might be)\b|^(?:make|treat|have)\b/i;
/** "You can leave at any time": said to callers; "You can offer a discount" is a permission of the agent's. */
const TO_CALLER =
  /^you (?:get|pay|receive|(?:can|may) (?:also |then |always )?(?!offer|transfer|suggest|mention|tell|ask|use|skip|end|connect|give|provide|share|answer|schedule|book|handle|say|explain|help|assist|refer|escalate|adapt|repeat|make|promise|propose)\w+)\b/i;
const CONDITIONAL =
  /^(?:if|when|whenever|once|should|unless|for|before|after|with)\b[^,]{3,120},\s+(?:then\s+)?(\S.*)$/is;
const CONDITION_OF_SPEECH =
  /\b(?:asks?|says?|answers?|agrees?|declines?|interested|wants? to know|responds?|confirms?|refuses?|yes|no)\b/i;
const TELLS =
  /\b(?:is|are|was|were|will|has|have|had|can|cannot|can['’]t|costs?|starts?|ends?|opens?|closes?|takes?|includes?|offers?|accepts?|charges?|works?|lasts?|needs?|gets?|comes?|serves?|covers?|pays?|must|should|may|requires?|allows?|delivers?|arrives?|applies|apply|begins?|runs?|provides?|sells?|lies?|sits?|holds?|speaks?|uses?|ships?|expires?|return|stay|leave|do|does|expect|receive|bring|cancel|reach|find|book|keep|give|make|send|rent|teach|treat|clean|repair|install|guarantee|refund|know|carry|stock|see|join)\b/i;

/** A short subject with its verb: "Showers and lockers are on the ground floor". */
const STATEMENT =
  /^(?:(?!(?:when|if|that|which|who|whether|what|where|how|to|because|while|until|as)\b)[\w'’$€£-]+\s+){1,10}(?:is|are|was|were|costs|takes?|has|have|will|can|must|includes?|lasts?|starts|ends|opens|closes|weighs|brings?|serves?|offers?|accepts?|stops?|leaves?|comes?|lies|works)\b/i;
/** A subject that needs no verb of the list. */
const WITH_SUBJECT =
  /^(?:we|you (?:can|may|must|get|need|will|pay|find)|there|our|all|every|no|each|please)\b/i;
/** "… and understand when they will pay": the rest of an instruction behind what it tells. */
const MORE_TO_DO =
  / and (?:then )?(?:understand|find out|ask|collect|see|check|note|offer|book|help|try|get|make|answer|take|confirm|schedule|qualify)\b/i;

/**
 * What an English sentence of a prompt states, worded for the caller; nothing for an instruction. "Tell them that delivery is
 * free" and "Delivery is free" both state "Delivery is free."
 */
export function readFact(sentence: string): string[] {
  const text = sentence.trim();
  if (text.endsWith('?') || [SECRET, ABOUT_TASK, OF_TALK].some((pattern) => pattern.test(text))) return [];
  const conditional = CONDITIONAL.exec(text);
  if (conditional !== null) return readCondition(text, conditional[1] ?? '');
  if (isCommand(text) || /["“]/.test(text)) {
    return readInstruction(text, false)
      .flatMap((unit) => (unit.type === 'say' ? [capitalise(unit.text.replace(REMINDER, ''))] : []))
      .map((told) => spoken(told.slice(0, MORE_TO_DO.exec(told)?.index)))
      .filter((told) => !EMPTY.test(told) && isTold(told));
  }
  if (OF_AGENT.test(text) || EMPTY.test(text)) return [];
  if (/^you\b/i.test(text) && !isPromise(text) && !TO_CALLER.test(text)) return [];
  const addressed = toSecondPerson(text);
  const isStatement = isLikeSpeech(text) || hasPluralSubject(text) || STATEMENT.test(text);
  return isStatement && isTold(addressed) ? [spoken(addressed)] : [];
}

const isTold = (text: string): boolean => TELLS.test(text) || WITH_SUBJECT.test(text) || STATEMENT.test(text);

/** "If you cancel on the day, we charge half": a fact unless it branches on an answer of the caller, or commands. */
function readCondition(text: string, then: string): string[] {
  const condition = text.slice(0, text.length - then.length);
  if (/^(?:if|when|whenever|once|should|unless)\b/i.test(text) && CONDITION_OF_SPEECH.test(condition))
    return [];
  if (isCommand(then) || OF_AGENT.test(then) || EMPTY.test(then) || !TELLS.test(then)) return [];
  return [spoken(toSecondPerson(text))];
}
