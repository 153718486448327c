import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import { Badge, ErrorNote, Loading } from '../../ui/page.tsx';
import { FlowLink } from './flow-link.tsx';
import { TimeLanes } from './time-lanes.tsx';
import { entryAt, SOURCES, type Source } from './time-line-entries.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Replay = Answer<'replayCall'>['data'];

/**
 * Runs the call through the conversation core again on demand, and lists with times what happened and what was decided.
 * With a recording a row seeks to its second, and the last one before the playing second is marked.
 */
export function TimeLine({
  callId,
  second,
  length,
  onSeek,
}: {
  callId: string;
  second: number | null;
  /** Seconds of the recording. */
  length: number | null;
  onSeek: ((second: number) => void) | null;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const read = useRead('replayCall', { id: callId }, { enabled: isOpen });
  return (
    <div className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t('Hide the decisions') : t('Show the decisions')}
        </Button>
        <CopyCurl operation="replayCall" input={{ id: callId }} />
        <span className="text-sm text-muted">
          {t('Why the assistant waited, stopped or spoke, by second.')}
        </span>
      </div>
      {!isOpen ? null : read.isPending ? (
        <Loading />
      ) : read.isError ? (
        read.error.status === 404 ? (
          <p className="text-muted">{t('This call has no event log: it was cut off, or is too old.')}</p>
        ) : (
          <ErrorNote error={read.error} retry={() => void read.refetch()} />
        )
      ) : (
        <>
          {read.data.data.flow_steps.length === 0 ? null : (
            <div>
              <FlowLink callId={callId} />
            </div>
          )}
          <Decisions replay={read.data.data} second={second} length={length} onSeek={onSeek} />
        </>
      )}
    </div>
  );
}

function Decisions({
  replay,
  second,
  length,
  onSeek,
}: {
  replay: Replay;
  second: number | null;
  length: number | null;
  onSeek: ((second: number) => void) | null;
}): ReactNode {
  const [hidden, setHidden] = useState<ReadonlySet<Source>>(new Set());
  const entries = replay.time_line.filter(({ source }) => !hidden.has(source));
  const current = second === null ? -1 : entryAt(entries, second);
  const toggle = (source: Source): void => {
    const next = new Set(hidden);
    if (!next.delete(source)) next.add(source);
    setHidden(next);
  };
  return (
    <>
      <Verdict replay={replay} />
      {length === null || second === null || onSeek === null ? null : (
        <TimeLanes entries={entries} length={length} second={second} onSeek={onSeek} />
      )}
      <div role="group" aria-label={t('Shown lines')} className="flex flex-wrap gap-2 text-sm">
        {Object.entries(SOURCES).map(([source, { name, text }]) => (
          <button
            key={source}
            type="button"
            aria-pressed={!hidden.has(source as Source)}
            className="min-h-7 rounded-full border max-sm:min-h-control border-line px-3 text-muted aria-pressed:bg-raised aria-pressed:text-ink"
            onClick={() => toggle(source as Source)}
          >
            <span aria-hidden="true" className={text}>
              ●
            </span>{' '}
            {t(name)}
          </button>
        ))}
      </div>
      <ol
        aria-label={t('Decisions of the call')}
        tabIndex={0}
        className="max-h-96 overflow-y-auto rounded-md border border-line text-sm"
      >
        {entries.map(({ seconds, source, text }, index) => (
          <li
            // The lines of an ended call never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            aria-current={index === current ? 'true' : undefined}
            className="grid grid-cols-[4.5rem_5.5rem_1fr] gap-x-3 border-b border-line px-3 py-1 last:border-0 aria-[current=true]:bg-raised max-sm:grid-cols-[4.5rem_1fr]"
          >
            {onSeek === null ? (
              <span className="text-muted tabular-nums">{exact(seconds)}</span>
            ) : (
              <button
                type="button"
                className="min-h-6 rounded text-left max-sm:min-h-control text-muted tabular-nums underline decoration-dotted hover:text-ink"
                aria-label={t('Play from {time}', { time: exact(seconds) })}
                onClick={() => onSeek(seconds)}
              >
                {exact(seconds)}
              </button>
            )}
            <span className={SOURCES[source].text}>{t(SOURCES[source].name)}</span>
            <span className="wrap-anywhere max-sm:col-span-2">{text}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** `m:ss.mmm`. */
const exact = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, '0')}`;

/** Whether this version of the service decides as the call did. */
function Verdict({ replay }: { replay: Replay }): ReactNode {
  const { first_difference: difference, cut_after_seconds: cut } = replay;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {difference === null ? (
          <Badge tone="good">{t('Same decisions')}</Badge>
        ) : (
          <Badge tone="warn">{t('Other decisions')}</Badge>
        )}
        <span>
          {difference === null
            ? t('A replay of the {events} events decides as the call did.', {
                events: formatNumber(replay.events),
              })
            : t(
                'From {seconds} on, the present version of the service decides otherwise: the lines after it are those of the replay.',
                { seconds: formatSeconds(difference.seconds) },
              )}
        </span>
      </p>
      {difference === null ? null : (
        <p className="wrap-anywhere text-muted">
          {rich('On {event} the call decided {call}, the replay {replay}.', {
            event: <code className="font-mono">{difference.event}</code>,
            call: listOf(difference.call),
            replay: listOf(difference.replay),
          })}
        </p>
      )}
      {cut === null ? null : (
        <p className="text-muted">
          {t('The log reached its limit at {cut} and ends there.', { cut: formatSeconds(cut) })}
        </p>
      )}
    </div>
  );
}
const listOf = (effects: readonly string[]): string =>
  effects.length === 0 ? 'nothing' : effects.join(', ');
