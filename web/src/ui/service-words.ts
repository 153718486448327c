import { fill, t, within } from '../words/words.ts';

/** Refusals of the service that people meet, by its own sentence: what the pages say instead. */
export const SENTENCES: Readonly<Record<string, string>> = {
  'Email or password is wrong': 'Email or password is wrong',
  'The password is wrong': 'The password is wrong',
  'Enter the 6-digit code of your authenticator app': 'Enter the 6-digit code of your authenticator app',
  'The code is wrong or was used before': 'The code is wrong or was used before',
  'You are signed out; sign in again': 'You are signed out; sign in again',
  'You are not a member of this workspace': 'You are not a member of this workspace',
  'The link is invalid, was used or has expired': 'The link is invalid, was used or has expired',
  'The invitation is for another email address': 'The invitation is for another email address',
  'This person is a member already': 'This person is a member already',
  'A workspace keeps at least one owner': 'A workspace keeps at least one owner',
  'This email address has an account; sign in, then open the link again':
    'This email address has an account; sign in, then open the link again',
  'Agent not found': 'The assistant was not found',
  'Agent version not found': 'The version was not found',
  'Call not found': 'The call was not found',
  'Chat not found': 'The chat was not found',
  'Campaign not found': 'The campaign was not found',
  'Number pool not found': 'The number pool was not found',
  'Knowledge base not found': 'The knowledge base was not found',
  'Webhook delivery not found': 'The delivery was not found',
  'Recording not found': 'The recording was not found',
  'Trunk not found': 'The trunk was not found',
  'Request not found': 'The request was not found',
  'No such call is live': 'The call is over',
  'The call is not in progress': 'The call is over',
  'The chat has ended': 'The chat has ended',
  'The chat is answering another message': 'The assistant is still answering another message',
  'Default numbers are for testing only. Please provide a real phone number.':
    'This number is an example. Enter a real phone number.',
  'The caller number is not connected to a carrier trunk': 'The number to call from has no trunk',
  'An inbound agent cannot place outbound calls': 'This assistant only answers calls',
  'An outbound agent does not take inbound calls': 'This assistant only calls people',
  'This person is on the do-not-call list and gets no messages':
    'This person is on the do-not-call list and gets no messages',
  'Your current balance is insufficient to initiate this call!': 'The credits do not cover this call',
  'Your current balance is insufficient to run this campaign!': 'The credits do not cover this campaign',
  'Every line of the workspace is in use; try again later.': 'Every line is in use; try again later',
  'The campaign has already started': 'The campaign has already started',
  'The contact list of the campaign is still being verified': 'The contact list is still being read',
  'The contact list of the campaign was not accepted; upload it again':
    'The contact list was not accepted; upload it again',
  'The campaign has not started or is over': 'The campaign has not started or is over',
  'A draft of the agent is open and has changes; publish or discard it first':
    'A draft is open and has changes; publish or discard it first',
  'The draft was published or discarded since you read it': 'The draft was published or discarded meanwhile',
  'No language model is set for the workspace: choose one under Providers':
    'No language model is set: choose one under Providers',
  'The language model gave no usable answer. Please try again shortly.':
    'The language model gave no usable answer. Try again shortly.',
  'The agent did not answer. Please try again shortly.': 'The assistant did not answer. Try again shortly.',
  'Selected voice does not support the specified language': 'The voice does not speak this language',
  'The recording cannot be read right now. Please try again shortly.':
    'The recording cannot be read now. Try again shortly.',
  'An unexpected error occurred. Please try again later.': 'Something went wrong in the service',
  'The request does not come from a page of this service':
    'This page is from before the last sign-in: reload it',
  'Another key of the workspace has this name': 'Another key of the workspace has this name',
};

/** Sentences with a value. */
export const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^This needs the role (?<role>\w+) in the workspace$/, 'This needs the role {role}'],
  [/^Too many .+; try again in (?<seconds>\d+) s$/, 'Too much at once; try again in {seconds} s'],
  [
    /^\S+ is on the do-not-call list of the workspace: it is not called$/,
    'The number is on the do-not-call list: it is not called',
  ],
  [
    /^\S+ must be a phone number in E\.164 form with country code, such as (?<example>\+\d+)$/,
    'The number needs its country code, such as {example}',
  ],
  [/^A child workspace is called (?<name>.+) already$/, 'A child workspace is called {name} already'],
];

/** Names that stand in sentences, such as those of roles. */
const ROLES: Readonly<Record<string, string>> = { owner: 'Owner', manager: 'Manager', viewer: 'Viewer' };
const valuesOf = ({ groups = {} }: RegExpExecArray): Readonly<Record<string, string>> =>
  groups['role'] === undefined
    ? groups
    : { ...groups, role: within(t(ROLES[groups['role']] ?? groups['role'])) };

/** The sentence in the reader's language; null: the pages have no words of their own for it. */
export function sentenceOf(message: string): string | null {
  const known = SENTENCES[message];
  if (known !== undefined) return t(known);
  for (const [form, text] of PATTERNS) {
    const found = form.exec(message);
    if (found !== null) return fill(t(text), valuesOf(found));
  }
  return null;
}
