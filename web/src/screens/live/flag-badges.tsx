import { useEffect, useState, type ReactNode } from 'react';
import { formatSeconds } from '../../ui/format.tsx';
import { Badge } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { flagsOf, type Flag, type FlaggedCall, type Limits } from './flags.ts';
import type { WallCall } from './wall.ts';

const SECOND_MS = 1_000;

/** Why a call needs somebody; the tip of each says when it is there. */
export function Flags({
  call,
  live,
  limits,
}: {
  call: FlaggedCall;
  live: WallCall | undefined;
  limits: Limits;
}): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const silence = Math.floor((now - (live?.spokeAt ?? now)) / SECOND_MS);
  const most = limits.get(call.agent_id);
  const words: Readonly<Record<Flag, readonly [text: string, tip: string]>> = {
    person: [
      t('Asks for a person'),
      t('The person asked to talk to a human, and nobody has taken the call over since.'),
    ],
    missed: [t('Not understood'), t('What the person said last was not understood twice in a row.')],
    silent: [
      t('Silent for {seconds} s', { seconds: silence }),
      t('Nobody has said anything for 8 seconds or more.'),
    ],
    long: [
      t('Long'),
      t('Has used three quarters of the {most} after which the calls of this assistant are ended.', {
        most: formatSeconds(most),
      }),
    ],
  };
  return flagsOf(call, live, limits, now).map((flag) => {
    const [text, tip] = words[flag];
    return (
      <span key={flag} data-flag={flag} title={tip}>
        <Badge tone={flag === 'person' ? 'bad' : 'warn'}>{text}</Badge>
      </span>
    );
  });
}
