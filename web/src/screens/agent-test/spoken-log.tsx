import type { ReactNode } from 'react';
import { LatencyBar, LatencyLegend, ms } from '../../parts/latency-bar.tsx';
import { Badge } from '../../ui/page.tsx';
import { useFollow } from '../../ui/use-follow.ts';
import type { Entry, Spoken } from './spoken.ts';
import { t } from '../../words/words.ts';

/** A test call: its lines, how long each answer took, interruptions, and the words that are being recognised. */
export function SpokenLog({
  spoken,
  fills,
}: {
  spoken: Spoken;
  /** It takes the height that is left, and scrolls inside it. */
  fills: boolean;
}): ReactNode {
  const { entries, settled, partial } = spoken;
  const { ref, onScroll } = useFollow<HTMLDivElement>(spoken);
  const totals = entries.flatMap((entry) => (entry.kind === 'latency' ? [entry.latency.total_ms] : []));
  if (entries.length === 0 && settled === '' && partial === '') return null;
  const longest = Math.max(1, ...totals);
  return (
    <>
      <div
        ref={ref}
        role="log"
        aria-label={t('Test call')}
        tabIndex={0}
        className={`flex flex-col gap-1.5 overflow-y-auto ${fills ? 'min-h-24 grow' : 'max-h-96'}`}
        onScroll={onScroll}
      >
        {entries.map((entry, index) => (
          // Entries are only ever added at the end.
          // oxlint-disable-next-line react/no-array-index-key
          <Shown key={index} entry={entry} longest={longest} />
        ))}
        {settled === '' && partial === '' ? null : (
          // Screen readers get the whole line.
          <p aria-hidden="true" className="wrap-anywhere">
            <b>{t('You:')}</b> {settled} <span className="text-muted italic">{partial}</span>
          </p>
        )}
      </div>
      {totals.length === 0 ? null : <LatencyLegend />}
    </>
  );
}

function Shown({ entry, longest }: { entry: Entry; longest: number }): ReactNode {
  switch (entry.kind) {
    case 'line': {
      const { role, text, by, interrupted } = entry.line;
      return (
        <p className="wrap-anywhere">
          <b>{role === 'agent' ? t('Assistant') : t('You')}:</b> {text}{' '}
          {by === 'keypad' ? <Badge>{t('Keys')}</Badge> : null}
          {interrupted ? <Badge tone="warn">{t('Interrupted')}</Badge> : null}
        </p>
      );
    }
    case 'latency':
      return (
        <div className="grid grid-cols-[1fr_5.5rem] items-center gap-3 text-sm">
          <LatencyBar parts={entry.latency} longest={longest} />
          <span className="text-right text-muted tabular-nums">
            <span className="sr-only">{t('Answered after')}</span>
            {ms(entry.latency.total_ms)}
          </span>
        </div>
      );
    case 'interruption':
      return (
        <p className="text-sm text-warn">
          {t('You interrupted; it fell silent after {stopMs}.', { stopMs: ms(Math.round(entry.stopMs)) })}
        </p>
      );
    default:
      return entry satisfies never;
  }
}
