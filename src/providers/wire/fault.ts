import { FAULT_WORDS, type FaultKind, type VendorFault } from '../../shared/vendor-fault.ts';

export type { FaultKind, VendorFault };

/** Statuses that a new request may not repeat. */
const PASSING = new Set([408, 425, 500, 502, 503, 504, 529]);
const LONGEST_DETAIL = 200;

export function vendorFault(
  vendor: string,
  kind: FaultKind,
  detail: string,
  { retryable = kind === 'lost', status }: { retryable?: boolean; status?: number } = {},
): VendorFault {
  const code = status === undefined ? '' : ` (status ${status})`;
  const clean = detail
    .replaceAll(/[^\P{C} ]/gu, ' ')
    .trim()
    .slice(0, LONGEST_DETAIL);
  const message = `${vendor}: ${FAULT_WORDS[kind]}${code}${clean === '' ? '' : `: ${clean}`}`;
  return { vendor, kind, status: status ?? null, message, retryable };
}

/** Fault of a provider that failed without details. */
export const unnamedFault = (
  vendor: string,
  { message, retryable }: Pick<VendorFault, 'message' | 'retryable'>,
): VendorFault => ({ vendor, kind: 'lost', status: null, message, retryable });

/** Phrases of vendors for an exhausted account. */
const SPENT = ['quota', 'credit', 'insufficient fund', 'insufficient balance', 'payment', 'billing'];

/** The fault of a refused upgrade or request. */
export function faultOfStatus(vendor: string, status: number, detail: string): VendorFault {
  const spent = SPENT.some((sign) => detail.toLowerCase().includes(sign));
  // Some vendors answer 400 to a wrong key.
  const isKey = status === 400 && /api[ _]key/i.test(detail);
  const kind: FaultKind =
    isKey || status === 401 || (status === 403 && !spent)
      ? 'key'
      : status === 402 || (spent && (status === 403 || status === 429))
        ? 'credit'
        : status === 429
          ? 'limit'
          : PASSING.has(status) || status >= 500
            ? 'lost'
            : 'rejected';
  return vendorFault(vendor, kind, detail, { status });
}

/** Close codes after which a new connection does not help. */
const FINAL_CODES = new Set([1002, 1003, 1007, 1008, 1009, 1010]);

/** Fault of a connection that the vendor closed; the reason is often more precise than the code. */
export function faultOfClose(vendor: string, code: number, reason: string): VendorFault {
  const detail = `closed with code ${code}${reason === '' ? '' : `, ${reason}`}`;
  const kind = kindOfText(reason) ?? (FINAL_CODES.has(code) ? 'rejected' : 'lost');
  return vendorFault(vendor, kind, detail);
}

/** The fault kind that a vendor's message indicates. */
export function kindOfText(text: string): FaultKind | null {
  const said = text.toLowerCase();
  const names = (...signs: readonly string[]): boolean => signs.some((sign) => said.includes(sign));
  if (names('unauthorized', 'unauthorised', 'api key', 'api_key', 'authentication', 'forbidden'))
    return 'key';
  if (names(...SPENT)) return 'credit';
  if (names('rate limit', 'rate_limit', 'too many', 'concurren', 'throttl')) return 'limit';
  return null;
}
