import type { Call } from './types.ts';

/** Who or what answers a call, in words. */
export const ANSWERER_NAMES: Readonly<Record<NonNullable<Call['answered_by']>['kind'], string>> = {
  human: 'A person',
  voicemail: 'A voicemail',
  screening: 'A call screening',
  ivr: 'A menu',
  hold: 'Hold music',
  fax: 'A fax machine',
  sit: 'An announcement of the network',
  unsure: 'Not sure',
};

/** What a decision about who answered rests on. */
export const ANSWER_REASONS: Readonly<Record<NonNullable<Call['answered_by']>['reasons'][number], string>> = {
  words: 'words',
  beep: 'beep',
  fax_tone: 'fax tone',
  special_tones: 'network tones',
  music: 'music',
  short_greeting: 'short greeting',
  long_greeting: 'long greeting',
  takes_turns: 'takes turns',
  silence: 'silence',
};
