import { faultMessage } from '../../parts/vendor-fault.ts';
import { pageSentence, type SentenceForms } from '../../words/sentence-forms.ts';
import { t } from '../../words/words.ts';
import { refusalText } from './refusal-words.ts';

/** The notices of a live call as the service words them, and as the page says them. */
export const NOTICES: SentenceForms = [
  ['{who} listens to the call', '{who} listens.'],
  ['{who} stopped listening to the call', '{who} stopped listening.'],
  ['{who} put the caller on hold', '{who} put the person on hold.'],
  ['{who} took the caller off hold', '{who} took the person off hold.'],
  ['{who} gave the assistant a note: {text}', '{who} gave the assistant a note: {text}'],
  ['{who} gave the assistant a sentence to say', '{who} gave the assistant a sentence to say.'],
  ['{who} took the call over: the assistant is silent', '{who} took the call over: the assistant is silent.'],
  ['{who} handed the call back to the assistant', '{who} handed the call back to the assistant.'],
  ['{who} invites {text} to the call', '{who} invites {text}.'],
  ['{who} transfers the caller to {to}', '{who} transfers the person to {to}.'],
  ['the caller was not transferred to {to}: {reason}', 'The person was not transferred to {to}: {reason}.'],
  ['{who} has joined the call', '{who} has joined the call.'],
  ['{who} has left the call', '{who} has left the call.'],
  ['{who} did not join the call: {reason}', '{who} did not join the call: {reason}.'],
  ['the caller asks for a person', 'The person asks for a human.'],
  ['the caller is connected', 'The person is connected.'],
  ['the caller is not on hold', 'The person is not on hold.'],
  ['the caller is on hold already', 'The person is on hold already.'],
  [
    'the caller talks to the target of a transfer and is not put on hold',
    'The person talks to the target of a transfer and is not put on hold.',
  ],
  [
    'the far side refused to be put on hold: the call goes on as before',
    'The other phone refused to be put on hold: the call goes on.',
  ],
  [
    'the far side refused to come back: the caller is still on hold',
    'The other phone refused to come back: the person is still on hold.',
  ],
  ['nobody has been invited to the call', 'Nobody has been invited to the call.'],
  ['the settings of the workspace could not be read', 'The settings of the workspace could not be read.'],
  [
    'the assistant has no part in the call now, so what {who} asked for is not done',
    'The assistant has no part in the call now, so what {who} asked for is not done.',
  ],
  ['the far side transfers the call to {to}', 'The other phone transfers the call to {to}.'],
  [
    'the recordings of the workspace have reached its quota, recordings_mb',
    'This call is not recorded: the workspace stores as many recordings as it may.',
  ],
  ['{vendor} is not available; {name} speaks instead', '{vendor} is not available; {name} speaks instead.'],
  ['{fault}; {name} speaks instead', '{fault}; {name} speaks instead.'],
  ['{fault}; {name} replies instead', '{fault}; {name} replies instead.'],
  ['{fault}; {name} recognises instead', '{fault}; {name} recognises instead.'],
  ['{name} recognises again', '{name} recognises again.'],
];

/** Notices whose text is for the log of the service, by their code. */
export const BY_CODE: Readonly<Record<string, string>> = {
  CONVERSATION_FAILED: 'An error of the service ended the conversation.',
  RECORDING_FAILED: 'The recording could not be kept whole. The call goes on.',
};

/** The words of a value: reasons and faults are sentences of the service themselves. */
function valueWords(value: string, place: string): string {
  if (place === 'reason') return refusalText(value);
  return place === 'fault' ? faultMessage(value) : value;
}

/** The sentence of the page for a notice of the service; null: the page has none. */
export const knownNotice = (message: string): string | null => pageSentence(NOTICES, message, valueWords);

/** A notice of the service in the language of the reader; one that the page does not know as a sentence of its own. */
export function noticeText(message: string, code = ''): string {
  if (BY_CODE[code] !== undefined) return t(BY_CODE[code]);
  const words = faultMessage(message);
  return knownNotice(message) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
