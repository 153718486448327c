import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { formatCount, Time } from '../../ui/format.tsx';
import type { Campaign } from './types.ts';
import { NumberChoice, StartForm } from './start-form.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** The WhatsApp numbers that send, then the start. Messages cost no credits. */
export function StartMessagesCard({ campaign }: { campaign: Campaign }): ReactNode {
  const numbers = useRead('listWhatsappNumbers', {});
  const usable = numbers.data?.whatsapp_numbers.filter((number) => number.agent_id === campaign.agent_id);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = (usable ?? []).filter(({ id }) => !left.has(id)).map(({ id }) => id);
  return (
    <StartForm
      input={{ list_id: campaign.id, agent_id: campaign.agent_id, from_numbers: chosen }}
      action={t('Start sending')}
      mayStart={chosen.length > 0}
    >
      {() => (
        <>
          <p>
            {rich(
              '{registeredCount}. Each gets the template {name} once. It costs no credits; WhatsApp charges your account.{campaignStartTime}',
              {
                registeredCount: formatCount(campaign.registered_count, 'contact'),
                name: <strong>{campaign.template?.name}</strong>,
                campaignStartTime:
                  campaign.campaign_start_time === null ? null : (
                    <>
                      {' '}
                      {rich('The first message is not before {time}.', {
                        time: <Time iso={campaign.campaign_start_time} />,
                      })}
                    </>
                  ),
              },
            )}
          </p>
          <NumberChoice
            legend={t('Numbers that send, in turn')}
            numbers={usable}
            left={left}
            empty={{
              text: t('The assistant has no WhatsApp number.'),
              to: '/whatsapp',
              action: 'Attach one',
            }}
            onChange={setLeft}
          />
        </>
      )}
    </StartForm>
  );
}
