import type { AccountFault, CarrierAnswer, CarrierRequest } from '../carrier-trunk.ts';
import { accountFault } from '../control/http.ts';
import { nameOf, objectOf } from '../json.ts';
import type { AccountNumber, Send } from './directory.ts';

/** Accounts with more numbers are read up to here. */
const MOST_PAGES = 50;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Reads the numbers of an account page by page. */
export async function everyPage(
  send: Send,
  /** `page` counts from 0. */
  request: (page: number) => CarrierRequest,
  read: (body: unknown) => { readonly numbers: readonly AccountNumber[]; readonly isLast: boolean },
): Promise<readonly AccountNumber[] | AccountFault> {
  const numbers: AccountNumber[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await send(request(page));
    const fault = accountFault(answer);
    if (fault !== null || !answer.ok) return fault ?? [];
    const body = bodyOf(answer);
    if (body === null) return { field: 'uri', message: 'the carrier answers with no list of numbers' };
    const { numbers: found, isLast } = read(body);
    numbers.push(...found);
    if (isLast || found.length === 0) break;
  }
  return numbers;
}

/** Sends changes in their order, up to the first that the carrier refuses. */
export async function eachChange(
  send: Send,
  requests: readonly CarrierRequest[],
): Promise<AccountFault | null> {
  for (const request of requests) {
    const fault = changeFault(await send(request));
    if (fault !== null) return fault;
  }
  return null;
}

/** What the answer to a change says is wrong; null: nothing. */
export const changeFault = (answer: CarrierAnswer): AccountFault | null =>
  answer.ok && answer.status >= 200 && answer.status < 300 ? null : accountFault(answer);

/** The numbers in a list of objects; what is none in E.164 form, with or without its +, is left out. */
export const numbersIn = (
  list: unknown,
  names: { readonly number: readonly string[]; readonly id: readonly string[] },
): AccountNumber[] =>
  (Array.isArray(list) ? (list as unknown[]) : []).flatMap((entry) => {
    const object = objectOf(entry);
    const text = (keys: readonly string[]): string =>
      keys.map((key) => textOf(object?.[key])).find((value) => value !== '') ?? '';
    const number = `+${text(names.number).replace(/^\+/, '')}`;
    return E164.test(number) ? [{ number, id: text(names.id) || number }] : [];
  });

const textOf = (value: unknown): string =>
  typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : (nameOf(value) ?? '');

/** The JSON of an answer; null: it has none. */
export function bodyOf(answer: CarrierAnswer): unknown {
  if (!answer.ok) return null;
  try {
    return JSON.parse(answer.body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
