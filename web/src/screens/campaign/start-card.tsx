import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, CheckField, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { formatCount, formatNumber, Time } from '../../ui/format.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import type { Campaign } from './campaign-page.tsx';

/** Caller numbers, share of the concurrency and cost; then the start. */
export function StartCard({ campaign }: { campaign: Campaign }): ReactNode {
  const numbers = useRead('listNumbers', {});
  const pools = useRead('listNumberPools', {});
  const workspace = useRead('getWorkspace', {});
  const start = useChange('startCampaignV2', ['getCampaign', 'listCampaigns', 'getOverview']);
  const usable = (numbers.data?.workspace_numbers ?? []).filter((number) => !number.is_test_number);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [pool, setPool] = useState('');
  const [share, setShare] = useState('100');
  const chosen = usable.filter(({ id }) => !left.has(id)).map(({ id }) => id);
  const balance = workspace.data?.workspace_info;
  const available = balance === undefined ? 0 : balance.credits - balance.locked_credits;
  const isShort = balance !== undefined && !balance.unlimited && available < campaign.required_credits;
  const input = {
    list_id: campaign.id,
    agent_id: campaign.agent_id,
    concurrency_percentage: Number(share),
    ...(pool === '' ? { from_numbers: chosen } : { number_pool_id: pool }),
  };
  return (
    <Card title="Start">
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(input);
        }}
      >
        <p>
          {formatCount(campaign.registered_count, 'contact')}. It costs at least{' '}
          <strong>{formatCount(campaign.required_credits, 'credit')}</strong>, one pulse each;{' '}
          {balance === undefined
            ? 'the balance is being read.'
            : balance.unlimited
              ? 'this workspace is not charged.'
              : `${formatNumber(available)} are available.`}
          {campaign.campaign_start_time === null ? null : (
            <>
              {' '}
              The first call is not before <Time iso={campaign.campaign_start_time} />.
            </>
          )}
        </p>
        {isShort ? <p className="text-bad">The balance does not cover the campaign.</p> : null}
        {(pools.data?.number_pools ?? []).length === 0 ? null : (
          <SelectField label="Number pool" value={pool} onChange={(event) => setPool(event.target.value)}>
            <option value="">None: choose the numbers below</option>
            {(pools.data?.number_pools ?? []).map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </SelectField>
        )}
        {pool === '' ? (
          <fieldset className="flex flex-col gap-2">
            <legend className="mb-1 text-sm font-medium">Caller numbers, used in turn</legend>
            {usable.length === 0 ? (
              <p className="text-muted">
                No number may call.{' '}
                <Link to="/numbers" className="text-accent underline">
                  See the numbers
                </Link>
                .
              </p>
            ) : (
              usable.map((number) => (
                <CheckField
                  key={number.id}
                  label={
                    <>
                      <span className="font-mono">{number.number}</span>{' '}
                      <span className="text-muted">{number.display_name}</span>
                    </>
                  }
                  checked={!left.has(number.id)}
                  onChange={(event) => {
                    const next = new Set(left);
                    if (event.target.checked) next.delete(number.id);
                    else next.add(number.id);
                    setLeft(next);
                  }}
                />
              ))
            )}
          </fieldset>
        ) : null}
        <TextField
          label="Share of the concurrent calls, percent"
          type="number"
          min={1}
          max={100}
          step={1}
          required
          value={share}
          error={start.error?.fields.get('concurrency_percentage')}
          hint="The rest stays free for other campaigns and single calls."
          onChange={(event) => setShare(event.target.value)}
        />
        {start.isError ? <ErrorNote error={start.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            look="primary"
            busy={start.isPending}
            disabled={isShort || (pool === '' && chosen.length === 0)}
          >
            Start calling
          </Button>
          <CopyCurl operation="startCampaignV2" input={input} />
        </div>
      </form>
    </Card>
  );
}
