import type { ReactNode } from 'react';
import { formatAgo } from './format-ago.ts';

/** A time as people say it: minutes under an hour, else the day and the clock; the tip of the shell has it exactly. */
export function Ago({
  iso,
  zone,
}: {
  iso: string;
  /** The zone of the assistant that it is about. */
  zone?: string | undefined;
}): ReactNode {
  return (
    <time dateTime={iso} data-zone={zone} className="whitespace-nowrap text-muted">
      {formatAgo(Date.parse(iso), Date.now())}
    </time>
  );
}
