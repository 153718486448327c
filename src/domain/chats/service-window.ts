const WINDOW_MS = 24 * 3_600_000;

/** Free text may be sent within 24 hours of the customer's last message; later only templates. */
export const isWindowOpen = (customerAt: Date | null, now: number): boolean =>
  customerAt !== null && customerAt.getTime() + WINDOW_MS > now;
