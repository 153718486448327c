import { quote, splitOutside, unquote, withoutControl } from './grammar.ts';
import { type Header, headerLines, type SipMessage } from './message.ts';

/** Causes of ITU-T Q.850 by why we end a call; others are normal call clearing (16). */
const CAUSES: ReadonlyMap<string, number> = new Map([
  ['ring timeout', 19],
  ['system shutdown', 41],
  ['the service stops', 41],
  ['media timeout', 41],
  ['incompatible media', 88],
  ['no ACK', 102],
  ['dialog lost', 102],
]);
const MAX_TEXT = 100;

/** Reason (RFC 3326) of a BYE or CANCEL of ours; `why` goes to the peer. */
export const endReason = (why: string): Header => ({
  name: 'reason',
  value: `Q.850;cause=${CAUSES.get(why) ?? 16};text=${quote(withoutControl(why).slice(0, MAX_TEXT))}`,
});

/** Another phone that the INVITE reached took the call. */
export const TAKEN_ELSEWHERE: Header = {
  name: 'reason',
  value: 'SIP;cause=200;text="Call completed elsewhere"',
};

/** Another party took the call over (RFC 3891). */
export const REPLACED: Header = { name: 'reason', value: 'SIP;cause=200;text="Replaced"' };

/** The target of the peer's REFER has the call. */
export const MOVED: Header = { name: 'reason', value: 'SIP;cause=200;text="Transferred"' };

/** The Reason values of a message as words, such as `Q.850 34 No circuit available`; null without one. */
export function reasonOf(message: SipMessage): string | null {
  const values = headerLines(message, 'reason').flatMap((line) => splitOutside(line, ',') ?? []);
  const words = values.map((value) => {
    const [protocol = '', ...params] = splitOutside(value, ';') ?? [];
    const read = (name: string): string =>
      unquote(
        params
          .map((param) => param.trim())
          .find((param) => param.toLowerCase().startsWith(`${name}=`))
          ?.slice(name.length + 1)
          .trim() ?? '',
      );
    return [protocol.trim(), read('cause'), read('text')].filter((word) => word !== '').join(' ');
  });
  const text = withoutControl(words.filter((word) => word !== '').join(', ')).slice(0, MAX_TEXT);
  return text === '' ? null : text;
}
