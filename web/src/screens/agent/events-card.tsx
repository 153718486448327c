import type { ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { Button, CheckField, SelectField, TextField } from '../../ui/controls.tsx';
import { PairsField } from '../../ui/pairs-field.tsx';
import { fromPairs, pairsOf, type Pair } from '../../ui/pairs.ts';
import type { Version, VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { eventName } from '../../parts/event-names.ts';
import { t } from '../../words/words.ts';

type Subscription = Extract<
  Input<'editAgent'>,
  { operation: 'edit_event_subscriptions' }
>['event_subscriptions'][number];
const CALL_EVENTS = [
  'call_started',
  'call_ringing',
  'call_ongoing',
  'call_completed',
  'recording_completed',
  'platform_analysis_completed',
  'client_analysis_completed',
  'all_processing_completed',
  'webhook_delivery_failed',
  'webhook_receiver_disabled',
  'knowledge_processed',
  'outbound_paused',
  'campaign_paused',
  'quality_alert',
] as const satisfies readonly Subscription['event_type'][];
/** Of an assistant that writes with people. */
const CHAT_EVENTS = [
  'chat_completed',
  'platform_analysis_completed',
  'client_analysis_completed',
  'all_processing_completed',
  'webhook_delivery_failed',
  'webhook_receiver_disabled',
  'knowledge_processed',
  'outbound_paused',
  'campaign_paused',
  'quality_alert',
] as const satisfies readonly Subscription['event_type'][];
type EventName = (typeof CALL_EVENTS)[number] | (typeof CHAT_EVENTS)[number];
const METHODS = ['POST', 'PUT', 'PATCH'] as const;

interface Receiver {
  readonly events: readonly EventName[];
  readonly url: string;
  readonly method: (typeof METHODS)[number];
  readonly headers: readonly Pair[];
  readonly success: '200' | '2xx';
  readonly recovery: 'manual' | 'automatic';
}
const NEW_RECEIVER: Receiver = {
  events: ['all_processing_completed'],
  url: '',
  method: 'POST',
  headers: [],
  success: '200',
  recovery: 'manual',
};

const draftOf = (version: Version): readonly Receiver[] =>
  version.event_subscriptions.map((each) => ({
    events: each.event_type as EventName[],
    url: each.callback_url,
    method: each.method_type as Receiver['method'],
    headers: pairsOf(each.headers),
    success: each.success === '2xx' ? '2xx' : '200',
    recovery: each.recovery === 'automatic' ? 'automatic' : 'manual',
  }));

/** Which events of calls or chats are sent where. Masked header values keep what is stored. */
export function EventsCard({ agentType, ...target }: VersionProps & { agentType: string }): ReactNode {
  const { mayEdit } = target;
  const events: readonly EventName[] = agentType === 'whatsapp' ? CHAT_EVENTS : CALL_EVENTS;
  const form = useDraft(draftOf(target.version), 'Events');
  const { draft, replace } = form;
  const change = (at: number, next: Partial<Receiver>): void =>
    replace(draft.map((each, index) => (index === at ? { ...each, ...next } : each)));
  return (
    <EditCard
      title={t('Events')}
      intro={t('Sent as webhooks. Of two receivers of one event the later one stays.')}
      target={target}
      edit={{
        operation: 'edit_event_subscriptions',
        event_subscriptions: draft.map(({ events, url, method, headers, success, recovery }) => ({
          event_type: [...events],
          callback_url: url,
          method_type: method,
          headers: fromPairs(headers),
          ...(success === '2xx' ? { success } : {}),
          ...(recovery === 'automatic' ? { recovery } : {}),
        })),
      }}
      form={form}
      problem={
        draft.some(({ events }) => events.length === 0) ? t('Each receiver needs an event.') : undefined
      }
    >
      {(errorOf) => (
        <>
          {draft.length === 0 ? (
            <p className="text-muted">{t('No receiver gets events of this version.')}</p>
          ) : null}
          {draft.map((receiver, index) => (
            // A receiver has no other identity than its place.
            // oxlint-disable-next-line react/no-array-index-key
            <fieldset key={index} className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-4">
              <legend className="px-1 text-sm font-medium">
                {t('Receiver {index}', { index: index + 1 })}
              </legend>
              <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
                <TextField
                  label={t('Address of receiver {index}', { index: index + 1 })}
                  type="url"
                  required
                  value={receiver.url}
                  hint={t(
                    'Also an incoming webhook of Slack: it shows paused campaigns and alerts as messages.',
                  )}
                  readOnly={!mayEdit}
                  error={errorOf(`event_subscriptions[${index}].callback_url`)}
                  onChange={(event) => change(index, { url: event.target.value })}
                />
                <SelectField
                  label={t('Method')}
                  value={receiver.method}
                  readOnly={!mayEdit}
                  onChange={(event) => change(index, { method: event.target.value as Receiver['method'] })}
                >
                  {METHODS.map((method) => (
                    <option key={method}>{method}</option>
                  ))}
                </SelectField>
              </div>
              <div className="grid gap-1 sm:grid-cols-2">
                {events.map((name) => (
                  <CheckField
                    key={name}
                    label={eventName(name)}
                    checked={receiver.events.includes(name)}
                    readOnly={!mayEdit}
                    onChange={({ target: { checked } }) =>
                      change(index, {
                        events: events.filter((each) =>
                          each === name ? checked : receiver.events.includes(each),
                        ),
                      })
                    }
                  />
                ))}
              </div>
              <CheckField
                label={t('Every status from 200 to 299 counts as delivered (otherwise 200 alone)')}
                checked={receiver.success === '2xx'}
                readOnly={!mayEdit}
                onChange={({ target: { checked } }) => change(index, { success: checked ? '2xx' : '200' })}
              />
              <CheckField
                label={t(
                  'Keep what it does not accept, and send it when it is back (otherwise you send it again)',
                )}
                checked={receiver.recovery === 'automatic'}
                readOnly={!mayEdit}
                onChange={({ target: { checked } }) =>
                  change(index, { recovery: checked ? 'automatic' : 'manual' })
                }
              />
              <PairsField
                label={t('Headers')}
                nameLabel={t('Header')}
                valueLabel={t('Value')}
                pairs={receiver.headers}
                readOnly={!mayEdit}
                onChange={(headers) => change(index, { headers })}
              />
              {mayEdit ? (
                <div>
                  <Button onClick={() => replace(draft.filter((_, at) => at !== index))}>
                    {t('Remove receiver {index}', { index: index + 1 })}
                  </Button>
                </div>
              ) : null}
            </fieldset>
          ))}
          {mayEdit ? (
            <div>
              <Button onClick={() => replace([...draft, NEW_RECEIVER])}>{t('Add receiver')}</Button>
            </div>
          ) : null}
        </>
      )}
    </EditCard>
  );
}
