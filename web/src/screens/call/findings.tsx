import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { call as send } from '../../api/client.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/controls.tsx';
import { formatSeconds, Time } from '../../ui/format.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { DETECTOR_NAMES, type Finding } from './detector-names.ts';
import type { Call } from './types.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** What the detectors found in a call; a click jumps to the place in the recording. */
export function Findings({
  call,
  onSeek,
}: {
  call: Call;
  onSeek: ((second: number) => void) | null;
}): ReactNode {
  if (call.findings === null) return null;
  return (
    <Card title={t('Findings')}>
      {call.findings.length === 0 ? (
        <p className="text-muted">{t('The detectors found nothing in this call.')}</p>
      ) : (
        <ul className="flex flex-col gap-3" aria-label={t('Findings')}>
          {call.findings.map((finding) => (
            <FindingRow key={finding.detector} callId={call.call_id} finding={finding} onSeek={onSeek} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FindingRow({
  callId,
  finding,
  onSeek,
}: {
  callId: string;
  finding: Finding;
  onSeek: ((second: number) => void) | null;
}): ReactNode {
  const { detector, at_seconds: second, detail, false_alarm: mark } = finding;
  const mayMark = useMay('manager');
  const set = useChange('markFinding', ['getCall'], ({ false_alarm: isFalse }) => ({
    text: isFalse ? t('The finding counts as a false alarm.') : t('The finding counts again.'),
    undo: () => send('markFinding', { call_id: callId, detector, false_alarm: !isFalse }),
  }));
  return (
    <li>
      <span className="flex flex-wrap items-center gap-2 font-medium">
        {onSeek === null ? (
          <span className="text-muted tabular-nums">{formatSeconds(second)}</span>
        ) : (
          <button
            type="button"
            aria-label={t('Go to {second}', { second: formatSeconds(second) })}
            className="min-h-7 rounded-full border max-sm:min-h-control border-line px-3 text-sm tabular-nums hover:bg-raised"
            onClick={() => onSeek(second)}
          >
            {formatSeconds(second)}
          </button>
        )}
        <span className={mark === null ? '' : 'text-muted line-through'}>{t(DETECTOR_NAMES[detector])}</span>
        {mayMark ? (
          <Button
            busy={set.isPending}
            onClick={() => set.mutate({ call_id: callId, detector, false_alarm: mark === null })}
          >
            {mark === null ? t('False alarm') : t('Not a false alarm')}
          </Button>
        ) : null}
      </span>
      {detail === null ? null : <span className="block text-sm wrap-anywhere text-muted">{detail}</span>}
      {mark === null ? null : (
        <span className="block text-sm text-muted">
          {rich('{by} marked a false alarm, {time}', { by: mark.by, time: <Time iso={mark.at} /> })}
        </span>
      )}
      {set.isError ? <ErrorNote error={set.error} /> : null}
    </li>
  );
}
