import { useEffect, useState, type ReactNode } from 'react';
import { formatNumber } from '../../ui/format.tsx';
import { addSample, paceOf, type Sample } from './pace.ts';
import { t } from '../../words/words.ts';

/** How fast the messages of a campaign go out, as far as this page has seen. */
export function MessagePace({ finished, total }: { finished: number; total: number }): ReactNode {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => setSamples((known) => addSample(known, { at: Date.now(), finished })), [finished]);
  const pace = paceOf(samples, total - finished);
  if (pace === null) return null;
  return t('{perMinute} a minute since you opened the page, time left: about {left}.', {
    perMinute: formatNumber(pace.perMinute),
    left: pace.left,
  });
}
