import type { ReferOutcome } from '../leg.ts';
import { mediaType } from './body.ts';
import { header, type Header, type SipRequest } from './message.ts';
import { escapeUser } from './uri.ts';

/** The far side is asked to call this target; `referredBy` is who asks (RFC 3515, RFC 3892). */
export const referHeaders = (target: string, referredBy: string): readonly Header[] => [
  { name: 'refer-to', value: `<${target}>` },
  { name: 'referred-by', value: `<${referredBy}>` },
];

/** A number at the far side's own domain; an address of its own stays. */
export const referTarget = (to: string, domain: string): string =>
  /^sips?:/i.test(to) ? to : `sip:${escapeUser(to)}@${domain}`;

/** The status a NOTIFY of a transfer reports in its body (`SIP/2.0 180 Ringing`); null when it has none. */
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

/** One transfer under way, from the REFER to its outcome. Told once. */
export class Referral {
  readonly #tell: (outcome: ReferOutcome) => void;
  readonly #stopTimer: () => void;
  #accepted = false;
  #over = false;

  constructor(tell: (outcome: ReferOutcome) => void, after: (run: () => void) => () => void) {
    this.#tell = tell;
    this.#stopTimer = after(() =>
      this.end({ transferred: false, sipCode: null, reason: 'no outcome in time' }),
    );
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** The answer to the REFER itself; null: there was none. */
  answered(status: number | null): void {
    if (status !== null && status < 300) this.#accepted = true;
    else this.end({ transferred: false, sipCode: status, reason: 'the far side does not transfer' });
  }

  /** The far side reports how its call goes. */
  notified(notify: SipRequest): void {
    // A report that is quicker than the answer to the REFER stands for it (RFC 3515 section 2.4.4).
    this.#accepted = true;
    const report = reportedStatus(notify);
    if (report !== null && report.status >= 200) {
      const transferred = report.status < 300;
      this.end({ transferred, sipCode: report.status, reason: report.reason });
    } else if (isOver(notify)) {
      this.end({ transferred: false, sipCode: null, reason: 'the far side tells no outcome' });
    }
  }

  /** The far side hung up: once it had accepted, that is how some tell that the caller is theirs now. */
  farSideLeft(): void {
    this.end({ transferred: this.#accepted, sipCode: null, reason: 'the far side ended the call' });
  }

  end(outcome: ReferOutcome): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopTimer();
    this.#tell(outcome);
  }
}
