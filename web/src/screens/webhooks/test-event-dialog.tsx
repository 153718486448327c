import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { AgentFilter } from '../../ui/filters/choices.tsx';
import { eventName } from '../../parts/event-names.ts';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Event = Input<'sendTestEvent'>['event_type'];
const EVENTS = [
  'call_started',
  'call_ringing',
  'call_ongoing',
  'call_completed',
  'recording_completed',
  'platform_analysis_completed',
  'client_analysis_completed',
  'all_processing_completed',
  'chat_completed',
  'campaign_completed',
] as const satisfies readonly Event[];

/** Sends a sample event to the receiver of an assistant, or to an address, then shows its delivery. */
export function TestEventDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [event, setEvent] = useState<Event>('call_completed');
  const [agentId, setAgentId] = useState('');
  const [url, setUrl] = useState('');
  const send = useChange('sendTestEvent', ['listDeliveries'], () => t('The test event is on its way.'));
  const navigate = useNavigate();
  const input: Input<'sendTestEvent'> = {
    event_type: event,
    ...(agentId === '' ? { callback_url: url.trim() } : { agent_id: agentId }),
  };
  return (
    <Dialog title={t('Send a test event')} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          send.mutate(input, {
            onSuccess: ({ delivery }) =>
              void navigate({ to: '/webhooks/$deliveryId', params: { deliveryId: delivery.delivery_id } }),
          });
        }}
      >
        <p className="text-muted">
          {rich('It is signed and delivered like a real one; its body has {code}.', {
            code: <code className="font-mono">test: true</code>,
          })}
        </p>
        <SelectField
          label={t('Event')}
          value={event}
          onChange={({ target: { value } }) => setEvent(value as Event)}
        >
          {EVENTS.map((each) => (
            <option key={each} value={each}>
              {eventName(each)}
            </option>
          ))}
        </SelectField>
        <AgentFilter
          label={t('Receiver of the assistant')}
          all={t('None: the address below')}
          value={agentId}
          onChange={setAgentId}
        />
        {agentId === '' ? (
          <TextField
            label={t('Address of the receiver')}
            type="url"
            required
            value={url}
            placeholder="https://example.com/hook"
            error={send.error?.fields.get('callback_url')}
            onChange={(typed) => setUrl(typed.target.value)}
          />
        ) : null}
        {send.isError ? <ErrorNote error={send.error} /> : null}
        <DialogActions
          action={t('Send')}
          isBusy={send.isPending}
          curl={<CopyCurl operation="sendTestEvent" input={input} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
