import { toSecondPerson } from './person.ts';
import { capitalise } from './text.ts';

/** Builds spoken questions from indirect questions in instructions. English only. */

const PARTICIPLES =
  'been|had|got|gotten|made|found|bought|heard|sent|met|paid|read|seen|taken|given|done|gone|come|chosen|spoken|' +
  'written|tried|used|left|lost|sold|kept|told|thought|felt|brought|set|put|begun|eaten|driven|grown|become|built|spent';
const IS_PARTICIPLE = new RegExp(
  `^(?:${PARTICIPLES}|(?!need|feed|proceed|succeed|speed|agreed to need)\\w+ed)$`,
  'i',
);
const IS_ADVERB =
  /^(?:still|already|ever|currently|recently|really|actually|usually|also|yet|since|just|never)$/i;
const PAST: Readonly<Record<string, string>> = {
  went: 'gone',
  saw: 'seen',
  took: 'taken',
  gave: 'given',
  did: 'done',
  came: 'come',
  chose: 'chosen',
  spoke: 'spoken',
  wrote: 'written',
  ate: 'eaten',
};
const CONTRACTED: Readonly<Record<string, string>> = { re: 'are', ve: 'have', ll: 'will', d: 'would' };

const clean = (text: string): string =>
  text
    .trim()
    .replace(/(?<![\s.?!:;,])[\s.?!:;,]+$/, '')
    .replace(/(?<!\s)\s+or not$/i, '')
    .replace(/^that\s+/i, '');

const ask = (text: string): string =>
  `${capitalise(text.trim().replace(/(?<![\s.?!,;:])[\s.?!,;:]+$/, ''))}?`;

/** "they received the parcel" → "Have you received the parcel?"; other clauses become "Could you tell me if …". */
export function yesNoQuestion(clause: string): string {
  const own = agentClause(clean(clause));
  if (own !== null) return ask(own);
  const text = toSecondPerson(clean(clause))
    .replace(/^you\b/i, 'you')
    .replace(/^you['’](re|ve|ll|d)\b/i, (_, short: string) => `you ${CONTRACTED[short] ?? ''}`);
  const you = /^you\s+(\S+)\s*(.*)/is.exec(text);
  if (you) return ask(aboutYou(you[1] ?? '', you[2] ?? ''));
  const other =
    /^((?:it|this|that|now|there|everything|someone|anyone|anything|all|\w+ing|(?:the|your|my|our|an?|any)\s.*?\S))\s+(is|are|was|were|has|have|can|will|would|should)\s+(\S.*)$/is.exec(
      text,
    );
  if (other) return ask(aboutThing(other[1] ?? '', other[2] ?? '', other[3] ?? ''));
  if (/^(?:are|is|do|does|did|can|could|will|would|have|has|should|may)\s/i.test(text)) return ask(text);
  return ask(`Could you tell me if ${text}`);
}

/** A clause whose "you" is the agent ("you can call back"). */
function agentClause(clause: string): string | null {
  const speaking =
    /^(?:you are|you['’]re|i am|i['’]m|we are)\s+((?:speaking|talking)\s+(?:with|to)\s+\S.*)$/is.exec(clause);
  if (speaking)
    return `Am I ${toSecondPerson(speaking[1] ?? '').replace(/\b(with|to) you$/i, '$1 the right person')}`;
  const may =
    /^(?:you|we|i)\s+(can|may|could|should)\s+((?:call|speak|talk|take|ask|send|help|record|proceed|have|get|continue|share|connect|go ahead)\b.*)$/i.exec(
      clause,
    );
  return may ? `${may[1] ?? 'may'} I ${toSecondPerson(may[2] ?? '')}` : null;
}

function aboutYou(verb: string, rest: string): string {
  const word = verb.toLowerCase();
  const following = (rest.split(/\s+/)[0] ?? '').toLowerCase();
  if (IS_ADVERB.test(word)) {
    const main = following;
    const after = rest.slice(main.length).trim();
    if (IS_PARTICIPLE.test(main)) return `have you ${word} ${main} ${after}`;
    if (/^(?:have|are|can|will)$/.test(main))
      return `${main === 'have' ? 'do' : main} you ${word} ${main === 'have' ? 'have ' : ''}${after}`;
    return `do you ${word} ${rest}`;
  }
  if (word === 'have' || word === 'had') {
    const participle = IS_PARTICIPLE.test(following) || IS_ADVERB.test(following);
    if (participle) return `${word} you ${rest}`;
    return `${word === 'had' ? 'did' : 'do'} you have ${rest}`;
  }
  if (/^(?:are|were|can|will|would|could|should|may|might|did|do)$/.test(word)) return `${word} you ${rest}`;
  if (/n['’]t$|^(?:not|cannot)$/.test(word)) return `is it right that you ${verb} ${rest}`;
  const participle =
    PAST[word] ?? (IS_PARTICIPLE.test(word) && !/^(?:come|read|set|put|become)$/.test(word) ? word : null);
  if (participle !== null) return `have you ${participle} ${rest}`;
  return `do you ${verb} ${rest}`;
}

function aboutThing(subject: string, verb: string, rest: string): string {
  const word = verb.toLowerCase();
  const first = (rest.split(/\s+/)[0] ?? '').toLowerCase();
  if ((word === 'has' || word === 'have') && !IS_PARTICIPLE.test(first) && !IS_ADVERB.test(first)) {
    return `${word === 'has' ? 'does' : 'do'} ${subject} have ${rest}`;
  }
  return `${word} ${subject} ${rest}`;
}

const AUXILIARY = 'can|will|would|could|should|are|were|have|had|did|do|might|may';
const WITH_AUXILIARY = new RegExp(`^(.*?\\S)\\s+(you|we|I)\\s+(${AUXILIARY})\\b\\s*(.*)`, 'is');

/** "what their preferred day is" → "What is your preferred day?". */
export function whQuestion(clause: string): string {
  const text = toSecondPerson(clean(clause));
  const copula =
    /^(what|which|who|where|when|how)\s+((?:your|the|this|that)\s.*?\S)\s+(is|are|was|were)$/is.exec(text);
  if (copula) return ask(`${copula[1] ?? ''} ${copula[3] ?? ''} ${copula[2] ?? ''}`);
  const about =
    /^((?:how many|how much|what|which)\s+\w+)\s+((?:your|the|this)\s+\w+)\s+(is|are|will be)\s+(\S.*)$/is.exec(
      text,
    );
  if (about) {
    const verb = (about[3] ?? '').split(' ');
    return ask([about[1], verb[0], about[2], ...verb.slice(1), about[4]].join(' '));
  }
  const withAux = WITH_AUXILIARY.exec(text);
  if (withAux) {
    const [, head = '', who = '', aux = '', tail = ''] = withAux;
    if (/^have$/i.test(aux) && !IS_PARTICIPLE.test(tail.split(' ')[0] ?? ''))
      return ask(`${head} do ${who} have ${tail}`);
    return ask(`${head} ${aux} ${who} ${tail}`);
  }
  const short = /^(.*?\S)\s+you['’](re|ve|ll|d)\b\s*(.*)/is.exec(text);
  if (short) return ask(`${short[1] ?? ''} ${CONTRACTED[short[2] ?? ''] ?? 'would'} you ${short[3] ?? ''}`);
  const withVerb =
    /^((?:what|which|who|where|when|why|how)\b(?:(?:(?!\b(?:is|are|do|did|will|can)\b).)*?(?!\b(?:is|are|do|did|will|can)\b)\S)??)\s+you\s+(\w+)\b\s*(.*)/is.exec(
      text,
    );
  if (
    withVerb &&
    !/\b(?:for|to|with|suits?|works?|of|about|made|makes|helps?|best)$/i.test(withVerb[1] ?? '')
  ) {
    const [, head = '', verb = '', tail = ''] = withVerb;
    const past = IS_PARTICIPLE.test(verb) || PAST[verb.toLowerCase()] !== undefined;
    return ask(
      past
        ? `${head} have you ${PAST[verb.toLowerCase()] ?? verb} ${tail}`
        : `${head} do you ${verb} ${tail}`,
    );
  }
  if (
    /\bto\s+\w+/i.test(text) &&
    /^(?:when|where|how|what|which)\b[^?]*?\bto\b/i.test(text) &&
    !/\b(?:is|are|do|would|works?)\b/i.test(text)
  ) {
    return ask(text.replace(/\bto\b/i, 'should I'));
  }
  return ask(text);
}

const PLURAL = /(?:[^s'’]s|sses|xes)$/i;

const BRACKETS = /(?:(?<!\s)\s+)?\(([^()]*)\)/g;

/** "a time (morning or evening)" → "a time: morning or evening". */
function choicesUnbracketed(text: string): string {
  let isFirst = true;
  return text.replaceAll(BRACKETS, (bracket, inside: string) => {
    if (!isFirst || !/\bor\b/i.test(inside)) return bracket;
    isFirst = false;
    return `: ${inside}`;
  });
}

/** "their preferred day" → "What is your preferred day?". */
export function nounQuestion(noun: string): string {
  const text = choicesUnbracketed(toSecondPerson(clean(noun)).replace(/^(?:you\s+)?(?:for|about)\s+/i, ''))
    .replaceAll(BRACKETS, '')
    .replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
  const consent = /^(?:your\s+)?(?:permission|consent|approval)(?:\s+to\s+(\S.*))?$/is.exec(text);
  if (consent) return consent[1] === undefined ? 'Do I have your consent?' : ask(`May I ${consent[1]}`);
  const when = /^(?:(?:your|the|a|their)\s+)?(date|day|time|time slot|slot)$/i.exec(text);
  if (when)
    return /time|slot/i.test(when[1] ?? '') ? 'What time would suit you?' : 'Which day would suit you?';
  const count = /^(?:the\s+|your\s+)?number of\s+(\S.*)$/is.exec(text);
  if (count) return ask(`How many ${count[1] ?? ''}`);
  const confirmation = /^(?:your\s+)?confirmation (?:of|for|on)\s+(\S.*)$/is.exec(text);
  if (confirmation) return ask(`Can you confirm ${confirmation[1] ?? ''}`);
  if (/^(?:a|an)\s+(?:good|convenient|suitable|better|preferred|specific)\b/i.test(text))
    return ask(`What is ${text}`);
  if (/^(?:an?|some|any|another)\s/i.test(text)) return ask(`Could you give me ${text}`);
  const head = text.split(/(?<!\s)\s+(?:of|for|to|in|on|at|with|from|about|regarding)\s+/i)[0] ?? text;
  const verb = PLURAL.test(head) && !/(?:address|status|business|is|us)$/i.test(head) ? 'are' : 'is';
  const owned = /^(?:your|the|my|our|this|that)\s/i.test(text) ? text : `your ${text}`;
  return ask(
    `What ${verb} ${owned.replace(/^the (?=preferred|exact|full|date|time|day|name|phone|email|budget)/i, 'your ')}`,
  );
}
