import { useEffect, useState, type ReactNode } from 'react';
import { formatSeconds } from './format.tsx';

const SECOND_MS = 1_000;

/** The seconds since a moment, which go on. The clocks of reader and service may differ a little: never negative. */
export function useElapsed(since: string | null): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (since === null) return undefined;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [since]);
  return since === null ? null : Math.max(0, (now - Date.parse(since)) / SECOND_MS);
}

/** The time since a moment, as m:ss. */
export const Elapsed = ({ since }: { since: string }): ReactNode => (
  <span className="text-accent tabular-nums">{formatSeconds(useElapsed(since))}</span>
);
