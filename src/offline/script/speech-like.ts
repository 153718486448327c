/** How a sentence begins that is said to a caller, not to the agent. */
const OPENERS = new Set(
  (
    "i i'm i'll i'd i've we we're we'll we'd we've you you're you'll you'd you've he she it it's they this that that's these " +
    "those there there's here here's our your my the a an all any each every some most many no not yes yeah hello hi hey dear " +
    'good great thanks thank welcome sorry okay ok alright sure perfect wonderful excellent lovely fantastic awesome right well ' +
    'congratulations absolutely certainly definitely unfortunately currently today tomorrow tonight now just also because since ' +
    "so and but or please let's press have may can could would will shall should does did is are was were am has had what which " +
    'when where who why how namaste namaskar salaam vanakkam hola bonjour of happy glad pleased'
  ).split(' '),
);
/** "For orders above 500, delivery is free": what follows the comma decides. */
const PREPOSITIONS = new Set('with in on at for from by to as after before during once'.split(' '));
const FINITE = new Set(
  "is are was were has have had will can cannot can't won't isn't aren't costs takes starts opens closes includes".split(
    ' ',
  ),
);
/** A verb after one of these belongs to another clause. */
const CLAUSES = new Set('that which who if when whether where what how to and or so'.split(' '));
/** Subjects are short. */
const LONGEST_SUBJECT = 7;

/** Sentences about the agent, its task or the call. */
export const ABOUT_TASK =
  /^(?:the|your|our|this|each|every) (?:main |primary |overall |only )?(?:goal|aim|objective|purpose|task|job|role|priority|tone|style|persona|call|step|section|conversation|flow|question|prompt|script) (?:is|are|should|must|needs?|will|has)\b/i;
const IDENTITY = /^[Yy]ou(?: are|['’]re) (?:now |also )?(?:an? |the |[A-Z])/;
/** "your" of the agent. */
const ITS_OWN =
  /\byour (?:best |own )?(?:name|role|tone|voice|best|own|task|job|goal|judge?ment|knowledge|answers?|repl(?:y|ies)|responses?|questions?|sentences?|words|language|style|pitch|script|opening|introduction|personality)\b/i;

/**
 * Whether a sentence of a script without a known instruction is one to say. In doubt it is not: an instruction that is read
 * aloud is worse than one that is left out.
 */
export function isLikeSpeech(text: string): boolean {
  if (text.endsWith('!')) return true;
  if (ABOUT_TASK.test(text) || IDENTITY.test(text)) return false;
  const words = text.toLowerCase().replaceAll('’', "'").split(/\s+/u);
  const first = plain(words[0] ?? '');
  if (PREPOSITIONS.has(first)) {
    const comma = text.indexOf(', ');
    return comma < 0 ? isStatement(words) || isToCaller(text) : isLikeSpeech(text.slice(comma + 2));
  }
  return OPENERS.has(first) || /^\d/.test(first) || isStatement(words) || isToCaller(text);
}

/** Short lines that are no titles: "No problem", "The test takes ten minutes". */
export const isShortSpeech = (text: string): boolean =>
  (text.endsWith('!') && !/^(?:good ?)?bye\b/i.test(text)) ||
  /^(?:great|good|no problem|no worries|perfect|sure|thanks|hello|hi|okay|sorry|welcome|lovely|wonderful|happy to|glad to|my pleasure|of course|absolutely|certainly|not at all|see you|take care|congratulations)\b/i.test(
    text,
  ) ||
  isStatement(text.toLowerCase().split(' '));

/** A subject of a few words with its verb: "Delivery is free". */
function isStatement(words: readonly string[]): boolean {
  for (const [at, word] of words.slice(0, LONGEST_SUBJECT).entries()) {
    const bare = plain(word);
    if (CLAUSES.has(bare)) return false;
    if (at > 0 && FINITE.has(bare)) return true;
  }
  return false;
}

/** Verbs of statements about things and people: "Members get ten percent off". */
const PLAIN_VERBS = new Set(
  'get expire open close start begin end run need cost include come take arrive work last apply receive have do go leave pay'.split(
    ' ',
  ),
);

/** A subject in the plural within the first words, and its verb. */
export function hasPluralSubject(text: string): boolean {
  const words = text.toLowerCase().split(/\s+/u).slice(0, LONGEST_SUBJECT).map(plain);
  const verb = words.findIndex(
    (word, at) => at > 0 && PLAIN_VERBS.has(word) && /[^s]s$/.test(words[at - 1] ?? ''),
  );
  return verb > 0 && !words.slice(0, verb).some((word) => CLAUSES.has(word) || PREPOSITIONS.has(word));
}

/** "Bring your card": an instruction to the caller. */
export const isToCaller = (text: string): boolean => /\byour?\b/i.test(text) && !ITS_OWN.test(text);

const plain = (word: string): string => word.replaceAll(/[^\p{L}\p{N}']/gu, '');
