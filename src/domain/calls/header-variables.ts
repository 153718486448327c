import { callerNumber } from '../numbers/caller-number.ts';

/** What the headers of an INVITE say about an inbound call. */
export interface InboundHeaders {
  readonly assertedIdentity?: string;
  readonly preferredIdentity?: string;
  readonly divertedFrom?: string;
  readonly diversionReason?: string;
  readonly firstCalled?: string;
  readonly userToUser?: string;
  readonly verstat?: string;
  /** By name in lower case. */
  readonly others?: Readonly<Record<string, string>>;
}

/** What the far side says in the headers of its BYE or REFER. */
interface EndHeaders extends Pick<InboundHeaders, 'userToUser' | 'others'> {
  readonly reason?: string;
}

const MAX_VALUE = 256;

/**
 * The variables of an inbound call from its headers, only those that have a value; numbers in E.164 form where they can
 * be read. Callers may choose the values and prompts contain them: what could forge a section, a role, markup or a
 * variable becomes a space.
 */
export function headerVariables(headers: InboundHeaders, dialled: string): Record<string, string> {
  const number = (user: string | undefined): string | undefined =>
    user === undefined ? undefined : callerNumber(user, dialled);
  const variables: readonly Named[] = [
    ['asserted_identity', number(headers.assertedIdentity)],
    ['preferred_identity', number(headers.preferredIdentity)],
    ['diverted_from', number(headers.divertedFrom)],
    ['diversion_reason', headers.diversionReason],
    ['first_called', number(headers.firstCalled)],
    ['user_to_user', headers.userToUser],
    ['verstat', headers.verstat],
    ...named(headers.others),
  ];
  return written(variables);
}

/**
 * The variables of a call from a later request of the far side: names begin with that of the request, so that they replace
 * none of the INVITE.
 */
export function laterVariables(
  request: 'bye' | 'refer',
  { reason, ...headers }: EndHeaders,
): Record<string, string> {
  const variables = { ...written([['reason', reason]]), ...headerVariables(headers, '') };
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [`${request}_${name}`, value]));
}

type Named = readonly [string, string | undefined];

const named = (others: InboundHeaders['others'] = {}): readonly Named[] =>
  Object.entries(others).map(([name, value]) => [name.replaceAll('-', '_'), value]);

function written(variables: readonly Named[]): Record<string, string> {
  const lines = variables.map(([name, value = '']) => [name, oneLine(value)] as const);
  return Object.fromEntries(lines.filter(([, value]) => value !== ''));
}

const oneLine = (text: string): string => {
  const line = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'’()&+\-_=/@;%?#]/gu, ' ')
    .replaceAll(/ +/gu, ' ')
    .trim();
  return Array.from(line).slice(0, MAX_VALUE).join('').trim();
};
