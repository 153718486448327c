import { hasPhrase, inOrder, normal, normalPhrase } from './text.ts';
import type { Intent, PhraseTable } from './phrases/phrase-table.ts';

const WHY =
  /\bwhy (?:are|did|do|have) you (?:call|calling|called|ring|ringing|phone|phoning)\b|\bwhat(?:s| is| was)? (?:this|the|your) (?:call )?(?:about|regarding|for|concerning|in regards?)\b|\bwhat is this (?:call )?(?:about|regarding|for)\b|\b(?:reason|purpose) (?:for|of) (?:this|your|the) call|\bwhat do you want\b|^(?:about|regarding) what$|^why$/;

/** English patterns over `normal` text, in order of precedence. */
const ENGLISH: readonly (readonly [Intent, { test(line: string): boolean }])[] = [
  [
    'stop_calling',
    /\b(?:stop|quit) (?:calling|phoning|contacting|bothering|disturbing)\b|\b(?:do not|dont|never) (?:ever )?(?:call|contact|phone|ring|bother|disturb) (?:me|us|here|this number|again)\b(?!(?: again)? (?:now|today|before|until|till|in the|during|at))|\b(?:remove|delete|take) (?:me|my (?:name|number)|this number) (?:off|from|out)\b|\bdelete my (?:number|details)\b|\bunsubscribe\b|\bopt(?: me)? out\b|\bdo not call list\b|\bremove (?:me|my number)$/,
  ],
  [
    'wrong_person',
    /\bwrong (?:number|person)\b|\bnobody (?:here )?(?:by|called|named)\b|\bno one (?:here )?(?:by|called|named)\b|\bthis is not (?:him|her|me)\b|\b(?:im|i am) not (?:him|her|that person|the right person)\b/,
  ],
  [
    'robot',
    /\b(?:are|r) (?:you|u) (?:\w+ )?(?:a |an )?(?:real|human|robot|bot|machine|ai|computer|automated|recorded|recording|person|chatbot|artificial)\b|\bis (?:this|that|it) (?:a |an )?(?:robot|bot|recording|recorded|machine|ai|automated|real|human|computer|chatbot)\b|\bam i (?:talking|speaking) (?:to|with) (?:a |an )?(?:robot|machine|bot|computer|ai|human|real|person|recording)\b|\byou (?:sound like|are) a (?:robot|machine|bot)\b/,
  ],
  [
    'human',
    /\b(?:speak|talk|connect|transfer|put|chat)(?: me)?(?: through)? (?:to|with) (?:a |an |the |your |some |any )?(?:real )?(?:human|person|someone|somebody|agent|representative|rep|manager|supervisor|operator|executive|staff|customer (?:care|service)|support|people|doctor)\b|\b(?:human|representative|operator|real person|real human)(?: please)?$|\bi (?:want|need) (?:a )?(?:human|real person|representative)\b/,
  ],
  [
    'who',
    /\bwho (?:is|are|am i) (?:this|you|calling|speaking|that|talking)\b|\bwhos (?:this|calling|speaking|that|there|it)\b|\bwhere (?:are|r) you calling from\b|\b(?:which|what) company\b|\b(?:what is|whats|may i know|tell me) your name\b|^who(?: is it)?$|\bwho did you say\b/,
  ],
  [
    'why_asked',
    /\bwhy (?:do|would|should) (?:you|i) (?:need|want|have) (?:to know|to ask|that|this|it|my|me to)\b|\bwhat (?:do you|would you) (?:need|want) (?:that|this|it|my [a-z ]{1,30}) for\b|\bwhats? (?:is )?(?:that|this|it) for$|\bwhy (?:are|do) you ask(?:ing)?\b|\bis (?:that|this|it) (?:really |absolutely )?(?:necessary|needed|required)$|\bdo you (?:really )?(?:need|have) to know(?: that| this)?$/,
  ],
  [
    'why',
    {
      test: (line) => WHY.test(line) || inOrder(line, /\bwhy (?:is|are|the|this) /, /\bcall/),
    },
  ],
  [
    'not_interested',
    /\bnot (?:really )?interested\b|\bno interest\b|\b(?:dont|do not) (?:want|need) (?:it|this|that|any|anything|your)\b|\bnot looking for\b|\b(?:im|i am) good thanks?\b|\bnot for me(?: thanks| thank you| sorry)?$/,
  ],
  [
    'later',
    /\b(?:call|ring|phone|contact)(?: me| us)?(?: back)? (?:later|back|again|another|tomorrow|after|some other|next|in (?:an?|the|\w+) (?:hour|hours|minutes|evening|morning|afternoon|days?))\b|\bcall me (?:on|at|in)\b|\b(?:im|i am|very|bit|little|quite|too) (?:\w+ )?busy\b|^(?:sorry )?busy(?: now| right now)?$|\b(?:im|i am) (?:driving|in a meeting|at work|not free|occupied)\b|\bnot a good time\b|\bbad time\b|\b(?:another|some other) time\b|\b(?:cant|cannot) (?:talk|speak)\b(?! english)|^(?:maybe )?later(?: please)?$|\bnot now\b/,
  ],
  [
    'repeat',
    /\b(?:repeat|say (?:that|it|this) again|say again|come again|once (?:more|again)|one more time|(?:didnt|did not|couldnt|could not|cant|cannot) (?:\w+ )?(?:hear|catch|get|understand)(?: you| that| it)?|what did you (?:just )?say|what was (?:the|your|that) (?:question|again)|pardon|speak (?:up|louder|(?:a bit |a little )?(?:more )?(?:slowly|clearly|slower)))\b/,
  ],
  [
    'hold',
    /\b(?:hold on|hang on|hold please|(?:just )?(?:one|a|1) (?:moment|minute|second|sec)(?: please)?|(?:give|gimme) (?:me )?(?:a|one) (?:moment|minute|second|sec)|let me (?:check|see|think|look|(?:get|find|fetch|grab) (?:a|my|the|it|some)\b[a-z ]{0,20})|bear with me)\b|^(?:please )?wait(?: please| here| a \w+)?$/,
  ],
  [
    'goodbye',
    /(?<!\b(?:say|said|saying) )\b(?:good ?bye|bye bye)\b(?! to\b)|\b(?:thats|that is|that will be|thatll be) all\b(?! (?:you|we|he|she|they|right))|^(?:(?:ok|okay|alright|thanks|thank you|no|great|fine|well) )*(?:bye|see you|see ya|talk (?:to you )?(?:later|soon)|take care|have a (?:good|nice|great) (?:day|one|evening|night))\b|\b(?:i have|i need|ive got|i must|got) (?:to )?(?:go|leave|hang up|run)(?: now| then| sorry| thanks| bye)*$/,
  ],
  [
    'hello',
    /^(?:(?:hello|hi|hey|hallo|yes hello)\s?)+(?:there)?$|^(?:hello |hi |hey )?(?:are you (?:still )?there|can you hear me|is any(?:one|body) there|any(?:one|body) there)$|^(?:hello |hi )?good (?:morning|afternoon|evening)$/,
  ],
  [
    'thanks',
    /^(?:(?:ok|okay|alright|great|perfect) )?(?:many )?(?:thanks|thank you|thank u|thankyou|cheers)(?: (?:so|very) much| a lot| again| anyway)?(?: (?:thats|that is) (?:all|it))?$/,
  ],
  ['what', /^(?:what|huh|sorry|excuse me|eh|what was that|say what|hmm what|i beg your pardon|sorry what)$/],
];

/** The intent of a line, apart from an answer to the pending question; null for none. English counts in every language. */
export function intentOf(text: string, table: PhraseTable): Intent | null {
  const line = normal(text);
  if (line === '') return null;
  for (const [intent, phrases] of Object.entries(table.intents) as [Intent, readonly string[]][]) {
    if (phrases.some((phrase) => matches(line, phrase))) return intent;
  }
  return ENGLISH.find(([, pattern]) => pattern.test(line))?.[0] ?? null;
}

/** A phrase that starts with `=` must be the whole line. */
function matches(line: string, phrase: string): boolean {
  const normalised = normalPhrase(phrase);
  return phrase.startsWith('=')
    ? line === normalised
    : hasPhrase(line, normalised) || (normalised.includes(' ') && line.includes(normalised));
}

/** Words before a question: "okay and", "sorry, at". */
const LEAD =
  '(?:(?:ok|okay|and|so|but|well|um|uh|oh|sorry|yes|no|yeah|then|hi|hello|thanks|please|actually|also|by the way|listen|excuse me) )*';
const ASKS = new RegExp(
  `^${LEAD}(?:(?:at|in|on|for|from|by|until|till|to|with|about|of) )?(?:what|whats|who|whos|where|wheres|when|why|how|hows|which|whose)\\b`,
);
/** An auxiliary with its subject: "does shipping cost", "may I bring", but not "will do" or "would be great". */
const AUXILIARY = new RegExp(
  `^${LEAD}(?:(?:am|can|could|may|might|shall|should|would|will|must|has|have|had|was|were) (?:i|you|we|he|she|it|they|there|this|that|the|my|your|our|a|an|any|someone|somebody|people)\\b|(?:is|are|does|did|isnt|arent|doesnt) (?!not\\b)[a-z]+ [a-z]|(?:is|are|does) (?:it|that|this|there|they|he|she|you)\\b|do (?:i|you|we|they|people|children|kids|the|your)\\b)`,
);
const INDIRECT =
  /\b(?:(?:tell|remind) me (?:more |about|what|when|where|how|if)|how much|how long|what about|how about|what if|i want to know|id like to know|i would like to know|i have a question|ive got a question|i was wondering|im wondering|any idea|do you know|can you tell me|could you tell me|let me know (?:if|when|what))\b/;
/** Parts of a line: "I do not eat meat, is that a problem". */
const CLAUSES = /[,.;!]|\s(?:and|but|so)\s/u;

/** Whether a line, or a part of it, is a question to the agent. */
export function asksSomething(text: string, table: PhraseTable): boolean {
  if (/[?？؟]\s*$/.test(text)) return true;
  const line = normal(text);
  if (INDIRECT.test(line)) return true;
  const parts = [line, ...text.split(CLAUSES).map((part) => normal(part))];
  if (parts.some((part) => ASKS.test(part) || AUXILIARY.test(part))) return true;
  return table.locale !== 'en' && table.questionWords.some((word) => hasPhrase(line, normalPhrase(word)));
}
