/**
 * The change of a state once `sent` is stored: it becomes `next`, unless somebody has typed since. The answer may come
 * long after the request, and the form waits for the reads after it, too.
 */
export const afterSending =
  <T>(sent: T, next: T): ((now: T) => T) =>
  (now) =>
    now === sent ? next : now;
