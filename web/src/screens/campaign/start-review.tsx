import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { ApiFailure, Input } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button, CheckField, CopyCurl } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { spacedNumber } from '../../parts/phone-number.ts';
import { CallMeFirst } from './call-me-first.tsx';
import type { Campaign } from './types.ts';
import { nightContacts, type Preview } from './review-groups.ts';
import { ReviewWords } from './review-words.tsx';
import { ReviewZones } from './review-zones.tsx';
import { useSampledRows } from './use-sampled-rows.ts';
import type { Callers } from './types.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** What a start would do: who is called, when on their clock, from which number, with which words. Then the start. */
export function StartReview({
  campaign,
  input,
  callers,
  isStarting,
  error,
  onStart,
  onClose,
}: {
  campaign: Campaign;
  input: Input<'startCampaignV2'>;
  callers: Callers;
  isStarting: boolean;
  error: ApiFailure | null;
  onStart: () => void;
  onClose: () => void;
}): ReactNode {
  const read = useRead('previewCampaign', { campaign_id: campaign.id });
  const sampled = useSampledRows(campaign);
  const [isAccepted, setAccepted] = useState(false);
  return (
    <Dialog title={t('Start “{name}”?', { name: campaign.name })} isWide onClose={onClose}>
      <Loaded read={read}>
        {(preview) => {
          const night = nightContacts(preview);
          return (
            <form
              className="flex flex-col gap-5"
              onSubmit={(event) => {
                event.preventDefault();
                onStart();
              }}
            >
              <Summary campaign={campaign} preview={preview} callers={callers} />
              <ReviewZones preview={preview} />
              {preview.calling_window.source === 'default' ? (
                <p className="text-sm text-warn">
                  {t('The calling hours of this assistant are the default.')}{' '}
                  <Link
                    to="/agents/$agentId"
                    params={{ agentId: campaign.agent_id }}
                    search={{ tab: 'behaviour' }}
                    className="underline"
                  >
                    {t('Choose them')}
                  </Link>
                </p>
              ) : null}
              <ReviewWords agentId={campaign.agent_id} sampled={sampled} />
              <CallMeFirst campaign={campaign} callers={callers} row={sampled.rows[0]} />
              {night === 0 ? null : (
                <CheckField
                  label={t('Call {night} before 08:00 or after 21:00 on their clock', {
                    night: formatCount(night, 'person', 'people'),
                  })}
                  required
                  checked={isAccepted}
                  onChange={(event) => setAccepted(event.target.checked)}
                />
              )}
              {error === null ? null : <ErrorNote error={error} />}
              <div className="flex flex-wrap justify-end gap-2">
                <CopyCurl operation="startCampaignV2" input={input} />
                <Button onClick={onClose}>{t('Cancel')}</Button>
                <Button type="submit" look="primary" busy={isStarting} disabled={night > 0 && !isAccepted}>
                  {t('Start')}
                </Button>
              </div>
            </form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

/** One sentence each: how many, when, from which number. */
function Summary({
  campaign,
  preview,
  callers,
}: {
  campaign: Campaign;
  preview: Preview;
  callers: Callers;
}): ReactNode {
  const { waiting, callable, outside_window: later } = preview.contacts;
  const start = campaign.campaign_start_time;
  const isLater = start !== null && Date.parse(start) > Date.now();
  const when = isLater ? t('at the start') : t('now');
  const [first, ...others] = callers.numbers;
  return (
    <p>
      <strong>{formatCount(waiting, 'person', 'people')}</strong>:{' '}
      {callable === 0
        ? t('the calling hours are closed {when}, and all wait.', { when })
        : later === 0
          ? t('the calling hours are open for all of them {when}.', { when })
          : t('the calling hours are open for {callable} of them {when}, and {later} wait.', {
              callable: formatNumber(callable),
              when,
              later: formatNumber(later),
            })}{' '}
      {isLater ? <>{rich('The first call leaves at {time}.', { time: <Time iso={start} /> })} </> : null}
      {callers.pool !== null
        ? t('Calls come from the numbers of the pool {name}.', { name: callers.pool.name })
        : first === undefined
          ? null
          : t('Calls come from {number}{length}.', {
              number: spacedNumber(first.number),
              length:
                others.length === 0
                  ? ''
                  : ` ${t('and {length}', { length: formatCount(others.length, 'other number') })}`,
            })}
    </p>
  );
}
