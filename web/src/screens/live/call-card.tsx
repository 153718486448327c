import { memo, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { callName } from '../../parts/call-name.ts';
import { CallStatus } from '../../parts/call-status.tsx';
import { spokenText } from '../../parts/spoken-text.ts';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Badge } from '../../ui/page.tsx';
import { Lanes } from './lanes.tsx';
import { Flags } from './flag-badges.tsx';
import type { Limits } from './flags.ts';
import { QUIET, type WallCall, type WallLine } from './wall.ts';
import { t } from '../../words/words.ts';

type Call = Answer<'listCalls'>['calls'][number];

const NAMES = { agent: 'Assistant', caller: 'Person' } as const;

/** One live call of the wall: who, state, time, and the words as they are said. */
export const CallCard = memo(function CallCard({
  call,
  live,
  limits,
  isChosen,
  onChoose,
}: {
  call: Call;
  live: WallCall | undefined;
  limits: Limits;
  isChosen: boolean;
  onChoose: (callId: string) => void;
}): ReactNode {
  const { lines = [], open = null, heard = QUIET, isTaken = false, isEnded = false } = live ?? {};
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      className="flex min-h-36 w-full flex-col gap-2 rounded-lg border border-line bg-surface p-4 text-left hover:bg-raised aria-pressed:border-accent"
      onClick={() => onChoose(call.call_id)}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="truncate font-semibold">{callName(call)}</span>
        {call.answered_at === null ? null : <Elapsed since={call.answered_at} />}
      </span>
      <span className="flex flex-wrap items-center gap-2">
        {isEnded ? (
          <Badge tone="neutral">{t('Ended')}</Badge>
        ) : (
          <CallStatus status={call.call_status} subStatus={live?.state ?? call.call_sub_status} />
        )}
        {isTaken ? <Badge tone="warn">{t('A colleague talks')}</Badge> : null}
        {isEnded ? null : <Flags call={call} live={live} limits={limits} />}
        <span className="truncate text-sm text-muted">{call.agent_name}</span>
      </span>
      <Lanes heard={heard} />
      <span className="flex flex-col gap-1 text-sm">
        {lines.map((line, at) => (
          // Lines move up as a whole.
          // oxlint-disable-next-line react/no-array-index-key
          <Words key={at} line={line} isOpen={false} />
        ))}
        {open === null ? null : <Words line={open} isOpen />}
      </span>
    </button>
  );
});

const Words = ({ line, isOpen }: { line: WallLine; isOpen: boolean }): ReactNode => (
  <span className={`line-clamp-2 ${isOpen ? '' : 'text-muted'}`}>
    <b className={line.speaker === 'agent' ? 'text-accent' : 'text-good'}>
      {line.author ?? t(NAMES[line.speaker])}
    </b>{' '}
    {spokenText(line.text)}
    {isOpen && !/[.?!]$/.test(line.text) ? '…' : ''}
  </span>
);
