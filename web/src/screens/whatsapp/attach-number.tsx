import { useState, type ReactNode } from 'react';
import type { Answer, Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { Button, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

type Agent = Answer<'listAgents'>['data']['agents'][number];
type Request = Input<'addWhatsappNumber'>;

const EMPTY = {
  number: '',
  phone_number_id: '',
  display_name: '',
  business_account_id: '',
  access_token: '',
  app_secret: '',
};

/** Attaches a number of a Meta app to an assistant. */
export function AttachNumber({ agents }: { agents: readonly Agent[] }): ReactNode {
  const [draft, setDraft] = useState(EMPTY);
  const [agentId, setAgentId] = useState('');
  const add = useChange('addWhatsappNumber', ['listWhatsappNumbers'], () => t('The number is attached.'));
  const agent = agents.find(({ id }) => id === agentId) ?? agents[0];
  const { display_name: name, business_account_id: account, ...needed } = draft;
  const input: Request = {
    ...needed,
    agent_id: agent?.id ?? '',
    ...(name === '' ? {} : { display_name: name }),
    ...(account === '' ? {} : { business_account_id: account }),
  };
  const field = (key: keyof typeof EMPTY, label: string, more: object = {}): ReactNode => (
    <TextField
      label={label}
      required={key in needed}
      value={draft[key]}
      error={add.error?.fields.get(key)}
      onChange={(event) => setDraft({ ...draft, [key]: event.target.value.trim() })}
      {...more}
    />
  );
  return (
    <Card title={t('Attach a number')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(input, { onSuccess: () => setDraft(afterSending(draft, EMPTY)) });
        }}
      >
        <SelectField
          label={t('Assistant that answers')}
          value={agent?.id ?? ''}
          onChange={(event) => setAgentId(event.target.value)}
        >
          {agents.map(({ id, agent_display_name: display }) => (
            <option key={id} value={id}>
              {display}
            </option>
          ))}
        </SelectField>
        <div className="grid gap-4 sm:grid-cols-2">
          {field('number', 'WhatsApp number with country code', { type: 'tel', placeholder: '+15550783881' })}
          {field('phone_number_id', 'Phone number id', {
            inputMode: 'numeric',
            hint: t('Meta shows it beside the number.'),
          })}
          {field('access_token', 'Access token', {
            type: 'password',
            autoComplete: 'off',
            hint: t('Of a system user with the permission to send WhatsApp Business messages.'),
          })}
          {field('app_secret', 'App secret', {
            type: 'password',
            autoComplete: 'off',
            hint: t('It signs what Meta sends.'),
          })}
          {field('business_account_id', 'WhatsApp Business account id, optional', {
            inputMode: 'numeric',
            hint: t('It owns the templates. Empty: learnt from the first message.'),
          })}
          {field('display_name', 'Name, optional', {
            maxLength: 100,
            onChange: (event: { target: { value: string } }) =>
              setDraft({ ...draft, display_name: event.target.value }),
          })}
        </div>
        {add.isError ? <ErrorNote error={add.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={add.isPending}>
            {t('Attach')}
          </Button>
          <CopyCurl operation="addWhatsappNumber" input={input} />
        </div>
      </form>
    </Card>
  );
}
