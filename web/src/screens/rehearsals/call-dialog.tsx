import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button, CheckField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/page.tsx';
import { formatTenths } from '../../ui/format.tsx';
import { t } from '../../words/words.ts';
import { DETECTOR_NAMES } from '../call/detector-names.ts';
import { expectationName } from './scenario-draft.ts';

const SPEAKERS = { agent: 'Assistant', caller: 'Caller', tool: 'Tool' } as const;
const at = (ms: number): string => `${formatTenths(ms / 1_000)} s`;

/** One call of a rehearsal, played again: both sides, what held, and what detectors found. */
export function CallDialog({
  agent_id: agentId,
  rehearsal_id: rehearsalId,
  call,
  hasOther,
  onClose,
}: {
  agent_id: string;
  rehearsal_id: string;
  call: number;
  hasOther: boolean;
  onClose: () => void;
}): ReactNode {
  const [before, setBefore] = useState(false);
  const read = useRead(
    'getRehearsedCall',
    { agent_id: agentId, rehearsal_id: rehearsalId, call, before },
    { keep: true },
  );
  return (
    <Dialog title={t('Call {call}', { call })} isWide onClose={onClose}>
      <Loaded read={read}>
        {({ rehearsed_call: shown }) => (
          <div className="flex flex-col gap-4">
            <p>
              <span className="font-medium">{shown.scenario}.</span> {shown.goal}
            </p>
            {hasOther ? (
              <CheckField
                label={t('With the version to compare with')}
                checked={before}
                onChange={(event) => setBefore(event.target.checked)}
              />
            ) : null}
            {shown.error === null ? null : <p className="text-bad">{shown.error}</p>}
            <ol className="flex flex-col gap-2 text-sm" aria-label={t('Conversation')}>
              {shown.lines.map((line, index) => (
                // A line has no other identity than its place.
                // oxlint-disable-next-line react/no-array-index-key
                <li key={index} className="flex items-baseline gap-3">
                  <span className="shrink-0 text-muted tabular-nums">{at(line.from_ms)}</span>
                  <span className="shrink-0 font-medium">{t(SPEAKERS[line.speaker])}</span>
                  <span className="min-w-0 wrap-anywhere">{line.text}</span>
                </li>
              ))}
            </ol>
            <ul className="flex flex-col gap-2 text-sm" aria-label={t('Expectations')}>
              {shown.verdicts.map(({ type, held, reason }, index) => (
                // An expectation has no other identity than its place.
                // oxlint-disable-next-line react/no-array-index-key
                <li key={index} className="flex flex-wrap items-baseline gap-2">
                  <Badge tone={held ? 'good' : 'bad'}>{held ? t('Met') : t('Not met')}</Badge>
                  <span className="min-w-0 wrap-anywhere">
                    {expectationName(type)} <span className="block text-muted">{reason}</span>
                  </span>
                </li>
              ))}
              {shown.alarms.map(({ detector, at_ms: ms, detail }) => (
                <li key={detector} className="flex flex-wrap items-baseline gap-2">
                  <Badge tone="warn">
                    {t((DETECTOR_NAMES as Readonly<Record<string, string>>)[detector] ?? detector)}
                  </Badge>
                  <span className="min-w-0 wrap-anywhere">{`${at(ms)}: ${detail}`}</span>
                </li>
              ))}
            </ul>
            <div className="flex justify-end">
              <Button onClick={onClose}>{t('Close')}</Button>
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
