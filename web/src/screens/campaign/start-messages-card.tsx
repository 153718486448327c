import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, CheckField, CopyCurl } from '../../ui/controls.tsx';
import { formatCount, Time } from '../../ui/format.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import type { Campaign } from './campaign-page.tsx';

/** The WhatsApp numbers that send, then the start. Messages cost no credits. */
export function StartMessagesCard({ campaign }: { campaign: Campaign }): ReactNode {
  const numbers = useRead('listWhatsappNumbers', {});
  const start = useChange('startCampaignV2', ['getCampaign', 'listCampaigns', 'getOverview']);
  const usable = (numbers.data?.whatsapp_numbers ?? []).filter(
    (number) => number.agent_id === campaign.agent_id,
  );
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const input = {
    list_id: campaign.id,
    agent_id: campaign.agent_id,
    from_numbers: usable.filter(({ id }) => !left.has(id)).map(({ id }) => id),
  };
  const toggle = (id: string): void => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
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
          {formatCount(campaign.registered_count, 'contact')}. Each gets the template{' '}
          <strong>{campaign.template?.name}</strong> once. It costs no credits; WhatsApp charges your account.
          {campaign.campaign_start_time === null ? null : (
            <>
              {' '}
              The first message is not before <Time iso={campaign.campaign_start_time} />.
            </>
          )}
        </p>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">Numbers that send, in turn</legend>
          {numbers.isSuccess && usable.length === 0 ? (
            <p className="text-muted">
              The assistant has no WhatsApp number.{' '}
              <Link to="/whatsapp" className="text-accent underline">
                Attach one
              </Link>
              .
            </p>
          ) : null}
          {usable.map((number) => (
            <CheckField
              key={number.id}
              label={
                <>
                  <span className="font-mono">{number.number}</span>{' '}
                  <span className="text-muted">{number.display_name}</span>
                </>
              }
              checked={!left.has(number.id)}
              onChange={() => toggle(number.id)}
            />
          ))}
        </fieldset>
        {start.isError ? <ErrorNote error={start.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            look="primary"
            busy={start.isPending}
            disabled={input.from_numbers.length === 0}
          >
            Start sending
          </Button>
          <CopyCurl operation="startCampaignV2" input={input} />
        </div>
      </form>
    </Card>
  );
}
