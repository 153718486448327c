import { useEffect, useState } from 'react';

const QUIET_MS = 300;

/** The value once it has not changed for a moment, so that typing sends no request for each letter. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
