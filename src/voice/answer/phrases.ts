/** What words from the far side tell about who, or what, has taken a call. */
export type PhraseKind =
  /** A mailbox, or an announcement that nobody can be reached. */
  | 'voicemail'
  /** A mailbox that takes no message. */
  | 'full'
  /** A machine that asks who is calling before it puts the call through. */
  | 'screening'
  /** Such a machine, or an exchange, asks for patience. */
  | 'waiting'
  /** A menu of keys. */
  | 'menu';

const PATTERNS: readonly (readonly [PhraseKind, RegExp])[] = [
  [
    'full',
    /\bmail ?box (?:is|was) full\b|\b(?:cannot|can not|cant|unable to) (?:accept|take|receive) (?:any |new |more )*messages\b/u,
  ],
  [
    'screening',
    /\bcall screening\b|\bscreening service\b|\b(?:say|state|record|give|tell me) your name (?:and|after)\b|\byour name and (?:the )?(?:reason|why)\b|\b(?:reason|why) (?:for|youre|you are) calling\b.{0,40}\b(?:see if|available|connect)\b/u,
  ],
  [
    'voicemail',
    /\bleave (?:me |us )?(?:a|your|the) (?:\w+ )?(?:message|name)\b|\b(?:after|at) the (?:tone|beep|signal)\b|\bvoice ?mail\b|\brecord (?:a|your) message\b|\b(?:cannot|can not|cant|unable to|not able to) (?:take|answer|get to) (?:your|the|my) (?:call|phone)\b|\b(?:number|person|customer|subscriber|party) you (?:have |are |were )?(?:\w+ ){0,3}(?:is|are) (?:currently |presently )?(?:not available|unavailable|not reachable|switched off|busy|not answering)\b|\bforwarded to (?:an? )?(?:automat|voice)/u,
  ],
  [
    'menu',
    /\bpress (?:\d|one|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash)\b|\bfor (?:sales|support|billing|english|service)\b.{0,20}\b(?:press|say)\b|\bdial (?:the|your partys) extension\b/u,
  ],
  [
    'waiting',
    /\b(?:stay|hold|remain) on the line\b|\bplease (?:hold|wait)\b|\b(?:connecting|transferring) (?:you|your call)\b|\bone moment\b|^(?:thank you|thanks)$|\btrying to (?:reach|connect)\b/u,
  ],
  // Other languages: the words of mailboxes and networks, wherever they stand.
  [
    'voicemail',
    /(?:संदेश|मैसेज) (?:छोड़|रिकॉर्ड)|बीप के बाद|(?:स्विच ?ऑफ|स्विच्ड ऑफ|पहुँच से बाहर|पहुंच से बाहर|संपर्क नहीं)|(?:বার্তা|মেসেজ) (?:রাখুন|রেকর্ড)|বিপ(?:ের)? পর|संदेश (?:सोडा|ठेवा)|செய்தியை? (?:விட|பதிவு)|సందేశాన్ని? (?:వదల|రికార్డ్)|ಸಂದೇಶ(?:ವನ್ನು)? (?:ಬಿಡಿ|ಬಿಟ್ಟು)|સંદેશ (?:છોડ|મૂક)|ਸੁਨੇਹਾ (?:ਛੱਡ|ਰਿਕਾਰਡ)|ବାର୍ତ୍ତା ଛାଡ|请在.{0,8}(?:留言|嘀声)|(?:留言|语音信箱)|已关机|无法接通|tinggalkan (?:pesanan|mesej)|selepas (?:bunyi )?(?:bip|nada)|اترك رسالة|بعد (?:سماع )?(?:الصافرة|النغمة)/u,
  ],
];

/** What the words tell; null for what a person may say as well. */
export function phraseKind(text: string): PhraseKind | null {
  const line = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N} ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return PATTERNS.find(([, pattern]) => pattern.test(line))?.[0] ?? null;
}

/**
 * For recognisers of closed sets of phrases: what machines say, in pieces as pauses part them. Only long ones, which
 * no short answer of a person is taken for.
 */
export const MACHINE_PHRASES: readonly string[] = [
  'please leave a message after the tone',
  'please leave a message after the beep',
  'please leave your message after the tone',
  'leave your name and number after the tone',
  'leave a message and i will call you back',
  'at the tone please record your message',
  'your call has been forwarded to an automated voice messaging system',
  'i cannot take your call right now',
  "i can't come to the phone right now please leave a message",
  'you have reached the voice mail of',
  'the person you are calling is not available',
  'the number you have dialed is not available',
  'the mailbox is full and cannot accept any messages',
  'please say your name and why you are calling',
  'record your name and reason for calling',
  'the person you are calling is using a call screening service',
  'please state your name after the tone',
  'please stay on the line',
  'please hold while i try to connect you',
];
