import { t } from '../words/words.ts';
/** What names a call in lists. */
interface Named extends Numbered {
  readonly callee_name: string;
  readonly agent_name: string | null;
}
interface Numbered {
  readonly call_type: string;
  readonly from_number: string;
  readonly to_number: string;
}

/** A call that a browser began has no number. */
export const numberOf = (number: string): string => (number === '' ? t('Browser call') : number);

/** The number of the person: the calling one of an inbound call, else the called one; empty: a browser began the call. */
export const personNumber = ({ call_type: type, from_number: from, to_number: to }: Numbered): string =>
  type === 'inbound' ? from : to;

/** The number of the workspace that a call came from or went to. */
export const ownNumber = ({ call_type: type, from_number: from, to_number: to }: Numbered): string =>
  type === 'inbound' ? to : from;

/** The person of a call: by name, by number, or for a call of the browser by its assistant. */
export function callName(call: Named): string {
  const { callee_name: name, agent_name: agent } = call;
  if (name !== '') return name;
  const number = personNumber(call);
  if (number !== '') return number;
  return agent === null ? t('Browser call') : t('Browser call, {agent}', { agent });
}
