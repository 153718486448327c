/**
 * Turns speech about the caller ("the customer wants their parcel") into speech to the caller ("you want your
 * parcel"). English only; other languages are spoken as written.
 */
const NOUNS =
  'users?|customers?|callers?|clients?|patients?|leads?|prospects?|callees?|recipients?|guests?|candidates?|' +
  'contacts?|borrowers?|subscribers?|members?|buyers?|students?|parents?|respondents?|residents?|homeowners?|' +
  'applicants?|employees?|participants?|owners?|person|individual|other party|shoppers?|drivers?|tenants?|listeners?';
const BARE =
  'users?|customers?|callers?|clients?|patients?|callees?|recipients?|prospects?|borrowers?|respondents?';
const COMPOUND =
  '(?!(?<!\\s)\\s+(?:care|service|services|support|id|ids|number|numbers|portal|satisfaction|base|account|details|type|' +
  'experience|relations|success|data|time|house|names?|meeting|information|helpline)\\b)';

const POSSESSIVE = new RegExp(
  `\\b(?:(?:the|this|that|our|a|an|each|every)\\s+(?:${NOUNS})|(?:${BARE}))['’]s?(?=\\s)`,
  'gi',
);
const NOUN = new RegExp(
  `(?<!\\b(?:are|be|as|become)\\s)\\b(?:(?:the|this|that|our|each|every)\\s+(?:${NOUNS})|(?:${BARE}))\\b${COMPOUND}`,
  'gi',
);

/** Marks a converted subject whose verb must agree. A control character, so it never occurs in input. */
const MARK = '\u0001';
const ADVERB =
  '(?:still|already|also|ever|currently|recently|really|actually|usually|now|only|just|never|not) ';

const VERB = new RegExp(`you${MARK} (${ADVERB})?([a-z]+)(n['’]t)?\\b`, 'gi');
const BELONGS_TO_HER =
  /\bher\b(?=(?<!\s)\s+\w)(?!(?<!\s)\s+(?:about|that|if|to|for|at|on|in|whether|when|and)\b)/gi;

export function toSecondPerson(text: string): string {
  const swapped = text
    .replaceAll(MARK, '')
    .replace(POSSESSIVE, 'your')
    .replace(NOUN, `you${MARK}`)
    .replace(/\b(?:they|he\/she|she\/he|s\/he|he or she)\b/gi, `you${MARK}`)
    .replace(/\b(?:they|he|she)['’](re|ve|ll|d)\b/gi, "you'$1")
    .replace(/\b(?:he|she)\b/gi, `you${MARK}`)
    .replace(/\b(?:themselves|themself|himself|herself)\b/gi, 'yourself')
    .replace(/\b(?:their|his\/her|his or her)\b/gi, 'your')
    .replace(/\b(?:theirs)\b/gi, 'yours')
    .replace(/\b(?:them|him\/her|him or her|him)\b/gi, `you${MARK}`)
    .replace(/\bhis\b/gi, 'your')
    .replace(BELONGS_TO_HER, 'your')
    .replace(/\bher\b/gi, `you${MARK}`);
  return swapped
    .replace(VERB, (_, adverb: string | undefined, word: string, not: string | undefined) => {
      return `you ${adverb ?? ''}${plainVerb(word)}${not ?? ''}`;
    })
    .replaceAll(MARK, '')
    .replace(/(^|[.!?]\s+)you\b/g, '$1You');
}

const IRREGULAR: Readonly<Record<string, string>> = {
  is: 'are',
  was: 'were',
  has: 'have',
  does: 'do',
  goes: 'go',
  isn: 'are',
  wasn: 'were',
  hasn: 'have',
  doesn: 'do',
};
const NOT_VERBS =
  /^(?:as|always|this|his|its|us|yes|plus|unless|across|perhaps|sometimes|news|previous|thus|regards|is|less)$/i;

/** Third person singular to the form that follows "you". */
function plainVerb(word: string): string {
  const lower = word.toLowerCase();
  const irregular = IRREGULAR[lower];
  if (irregular !== undefined) return irregular;
  if (NOT_VERBS.test(lower) || !lower.endsWith('s') || lower.endsWith('ss') || lower.length < 4) return word;
  if (/(?:sh|ch|x|z|ss)es$/.test(lower)) return word.slice(0, -2);
  if (lower.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.slice(0, -1);
}

/** Rewords an instruction whose "you" is the agent ("tell them you are calling from …") in the first person. */
export function agentSpeaking(text: string): string {
  const agent =
    /\byou(?:['’]re| are)(?= (?:calling|phoning|speaking|from|with|an?|the|here|reaching|contacting|going)\b)/gi;
  return text
    .replace(agent, 'I am')
    .replace(
      /\byou(?:['’]ll| will)(?= (?:call|send|share|contact|connect|arrange|have|get|email|text|check|be)\b)/gi,
      'I will',
    )
    .replace(
      /\byou (?=(?:work|represent|call|would like|want to|can (?:help|offer|call|send|arrange|book))\b)/gi,
      'I ',
    )
    .replace(/\byour name\b/gi, 'my name')
    .replace(/\byour (?=(?:company|clinic|team|office|manager|colleague)\b)/gi, 'our ');
}
