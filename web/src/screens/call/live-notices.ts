import { t } from '../../words/words.ts';

/** The notices of a live call as the service words them, and as the page says them. */
const NOTICES: readonly (readonly [service: string, page: string])[] = [
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
  ['the caller was not transferred to {to}: {text}', 'The person was not transferred to {to}: {text}'],
  ['{who} has joined the call', '{who} has joined the call.'],
  ['{who} has left the call', '{who} has left the call.'],
  ['{who} did not join the call: {text}', '{who} did not join the call: {text}'],
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
];

/** The values of the places of a template in a text; null: the text is another one. */
function valuesIn(template: string, text: string): Record<string, string> | null {
  const [start = '', ...places] = template.split(/\{(\w+)\}/);
  if (!text.startsWith(start)) return null;
  const values: Record<string, string> = {};
  let at = start.length;
  for (let place = 0; place < places.length; place += 2) {
    const after = places[place + 1] ?? '';
    const end = after === '' ? text.length : text.indexOf(after, at);
    if (end < 0) return null;
    values[places[place] ?? ''] = text.slice(at, end);
    at = end + after.length;
  }
  return at === text.length ? values : null;
}

/** The sentence of the page for a notice of the service; null: the page has none. */
export function knownNotice(message: string): string | null {
  for (const [service, page] of NOTICES) {
    const values = valuesIn(service, message);
    if (values !== null) return t(page, values);
  }
  return null;
}

/** A notice of the service in the language of the reader; one that the page does not know as a sentence of its own. */
export const noticeText = (message: string): string =>
  knownNotice(message) ?? message.charAt(0).toUpperCase() + message.slice(1);
