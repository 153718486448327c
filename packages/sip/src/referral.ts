import type { ReferOutcome } from './call.ts';
import { header, type Header, mediaType, type SipRequest } from './message.ts';
import { escapeUser } from './uri.ts';

/** Refer-To and Referred-By of a transfer (RFC 3515, RFC 3892). */
export const referHeaders = (target: string, referredBy: string): readonly Header[] => [
  { name: 'refer-to', value: `<${target}>` },
  { name: 'referred-by', value: `<${referredBy}>` },
];

/** A SIP URI unchanged, or a number in `domain`. */
export const referTarget = (to: string, domain: string): string =>
  /^sips?:/i.test(to) ? to : `sip:${escapeUser(to)}@${domain}`;

/** The status line in the sipfrag body of a NOTIFY (`SIP/2.0 180 Ringing`); null without one. */
export function reportedStatus(notify: SipRequest): { status: number; reason: string } | null {
  if (mediaType(notify) !== 'message/sipfrag') return null;
  const line = /^SIP\/2\.0 ([1-6]\d\d)(?: ([^\r\n]{0,100}))?/i.exec(
    notify.body.subarray(0, 512).toString('utf8').trimStart(),
  );
  return line === null ? null : { status: Number(line[1]), reason: line[2]?.trim() ?? '' };
}

const isOver = (notify: SipRequest): boolean =>
  /^\s*terminated/i.test(header(notify, 'subscription-state') ?? '');

export const isAboutReferral = (notify: SipRequest): boolean =>
  /^\s*refer\s*(;|$)/i.test(header(notify, 'event') ?? '');

/** One transfer from its REFER to its outcome, which it reports once. */
export class Referral {
  readonly #report: (outcome: ReferOutcome) => void;
  readonly #stopTimer: () => void;
  #accepted = false;
  #over = false;

  constructor(report: (outcome: ReferOutcome) => void, after: (run: () => void) => () => void) {
    this.#report = report;
    this.#stopTimer = after(() =>
      this.end({ transferred: false, sipCode: null, reason: 'transfer timed out' }),
    );
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** Final status of the REFER; null without a response. */
  answered(status: number | null): void {
    if (status !== null && status < 300) this.#accepted = true;
    else this.end({ transferred: false, sipCode: status, reason: 'REFER refused' });
  }

  /** Handles a NOTIFY with the progress of the transferred call. */
  notified(notify: SipRequest): void {
    // A NOTIFY may overtake the response to the REFER and implies acceptance (RFC 3515 section 2.4.4).
    this.#accepted = true;
    const report = reportedStatus(notify);
    if (report !== null && report.status >= 200) {
      const transferred = report.status < 300;
      this.end({ transferred, sipCode: report.status, reason: report.reason });
    } else if (isOver(notify)) {
      this.end({ transferred: false, sipCode: null, reason: 'the peer reported no outcome' });
    }
  }

  /** The peer sent BYE. After accepting the REFER, some peers signal success this way. */
  receivedBye(): void {
    this.end({ transferred: this.#accepted, sipCode: null, reason: 'the peer ended the call' });
  }

  end(outcome: Omit<ReferOutcome, 'accepted'>): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopTimer();
    this.#report({ ...outcome, accepted: this.#accepted });
  }
}
