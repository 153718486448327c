import { useState, type ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { SelectField, TextField } from '../../ui/controls.tsx';
import { formatCount, formatNumber, Time } from '../../ui/format.tsx';
import type { Campaign } from './types.ts';
import { NumberChoice, StartForm } from './start-form.tsx';
import { StartReview } from './start-review.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** Caller numbers, share of the concurrency and cost; then the start. */
export function StartCard({ campaign }: { campaign: Campaign }): ReactNode {
  const numbers = useRead('listNumbers', {});
  const pools = useRead('listNumberPools', {});
  const workspace = useRead('getWorkspace', {});
  const usable = numbers.data?.workspace_numbers.filter((number) => !number.is_test_number);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [pool, setPool] = useState('');
  const [share, setShare] = useState('100');
  const chosen = (usable ?? []).filter(({ id }) => !left.has(id));
  const chosenPool = pools.data?.number_pools.find(({ id }) => id === pool) ?? null;
  const balance = workspace.data?.workspace_info;
  const available = balance === undefined ? 0 : balance.credits - balance.locked_credits;
  const isShort = balance !== undefined && !balance.unlimited && available < campaign.required_credits;
  const input: Input<'startCampaignV2'> = {
    list_id: campaign.id,
    agent_id: campaign.agent_id,
    concurrency_percentage: Number(share),
    ...(chosenPool === null
      ? { from_numbers: chosen.map(({ id }) => id) }
      : { number_pool_id: chosenPool.id }),
  };
  return (
    <StartForm
      input={input}
      action={t('Start calling')}
      mayStart={!isShort && (chosenPool !== null || chosen.length > 0)}
      review={(review) => (
        <StartReview
          campaign={campaign}
          input={input}
          callers={{ numbers: chosenPool === null ? chosen : [], pool: chosenPool }}
          {...review}
        />
      )}
    >
      {(errorOf) => (
        <>
          <p>
            {rich(
              '{registeredCount}. It costs at least {requiredCredits}, one pulse each; {balance}{campaignStartTime}',
              {
                registeredCount: formatCount(campaign.registered_count, 'contact'),
                requiredCredits: <strong>{formatCount(campaign.required_credits, 'credit')}</strong>,
                balance:
                  balance === undefined
                    ? t('the balance is being read.')
                    : balance.unlimited
                      ? t('this workspace is not charged.')
                      : t('{available} are available.', { available: formatNumber(available) }),
                campaignStartTime:
                  campaign.campaign_start_time === null ? null : (
                    <>
                      {' '}
                      {rich('The first call leaves no earlier than {time}.', {
                        time: <Time iso={campaign.campaign_start_time} />,
                      })}
                    </>
                  ),
              },
            )}
          </p>
          {isShort ? <p className="text-bad">{t('The balance does not cover the campaign.')}</p> : null}
          {(pools.data?.number_pools ?? []).length === 0 ? null : (
            <SelectField
              label={t('Number pool')}
              value={pool}
              onChange={(event) => setPool(event.target.value)}
            >
              <option value="">{t('None: choose the numbers below')}</option>
              {(pools.data?.number_pools ?? []).map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </SelectField>
          )}
          {pool === '' ? (
            <NumberChoice
              legend={t('Caller numbers, used in turn')}
              numbers={usable}
              left={left}
              empty={{ text: t('No number may call.'), to: '/numbers', action: 'See the numbers' }}
              onChange={setLeft}
            />
          ) : null}
          <TextField
            label={t('Share of the concurrent calls, percent')}
            type="number"
            min={1}
            max={100}
            step={1}
            required
            value={share}
            error={errorOf('concurrency_percentage')}
            hint={t('The rest stays free for other campaigns and single calls.')}
            onChange={(event) => setShare(event.target.value)}
          />
        </>
      )}
    </StartForm>
  );
}
