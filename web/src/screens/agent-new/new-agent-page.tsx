import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { LANGUAGES } from '@callwright/language';
import { AGENT_LANGUAGES } from '../../../../src/shared/agent-languages.ts';
import { useChange } from '../../api/queries.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { useMay } from '../../session/session.ts';
import { Button, CheckField, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { CountedArea, lengthOf } from '../../ui/counted-area.tsx';
import { formatLanguage } from '../../ui/format.tsx';
import { notify } from '../../ui/toasts.ts';

import { Card, EmptyState, ErrorNote, Page } from '../../ui/page.tsx';
import { VoicePicker } from '../../parts/voice-picker.tsx';
import { WindowField, zoneProblem } from '../../parts/window-field.tsx';
import { addFlow } from './add-flow.ts';
import {
  EMPTY_DRAFT,
  LIMITS,
  ownVariables,
  templateOf,
  toRequest,
  type AgentLanguage,
  type Draft,
} from './draft.ts';
import { TemplateCard } from './template-card.tsx';
import { t } from '../../words/words.ts';

const TYPES: Readonly<Record<Draft['type'], string>> = {
  outbound: 'Calls people',
  inbound: 'Answers calls',
  outbound_inbound: 'Calls people and answers calls',
  whatsapp: 'Writes with people',
};
/** The texts of the prompt: field of the draft, field of the API, label, hint, rows. */
const TEXTS = [
  [
    'objective',
    'introduction_and_objective',
    'Who it is and what it wants',
    'Such as: You are Asha from City Dental. Confirm the appointment of {{callee_name}}.',
    4,
  ],
  [
    'guidelines',
    'response_guidelines',
    'How it speaks',
    'Such as: short, warm sentences; one question at a time.',
    4,
  ],
  ['task', 'task', 'What it does, step by step', 'The script of the conversation.', 6],
  ['faq', 'faq', 'Questions and answers', 'Optional: what people ask, and what is true.', 4],
  ['samples', 'sample_conversations', 'Sample conversations', 'Optional, a turn on each line.', 4],
] as const;

/** A new assistant: how it speaks first, then what it says. */
export function NewAgentPage(): ReactNode {
  const mayEdit = useMay('manager');
  return (
    <Page
      title={t('New assistant')}
      intro={t('A name, a language, a voice and instructions. Everything can be changed later.')}
    >
      {mayEdit ? (
        <NewAgentForm />
      ) : (
        <EmptyState title={t('Managers and owners create assistants')}>
          {t('Ask one of them, or for another role.')}
        </EmptyState>
      )}
    </Page>
  );
}

function NewAgentForm(): ReactNode {
  const form = useDraft<Draft>(EMPTY_DRAFT, 'New assistant');
  const { draft, set } = form;
  const create = useChange('createAgent', ['listAgents'], () => {
    form.stored();
    return t('The assistant is created.');
  });
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const open = async (agentId: string): Promise<void> => {
    const template = templateOf(draft);
    if (template !== undefined) {
      setAdding(true);
      await addFlow(agentId, template).catch((error: Error) =>
        notify({
          text: t('The assistant lacks steps or test cases of its template: {message}', {
            message: error.message,
          }),
          tone: 'bad',
        }),
      );
    }
    form.done();
    await navigate({ to: '/agents/$agentId', params: { agentId } });
  };
  const errorOf = (field: string): string | undefined => create.error?.fields.get(field);
  const isTooLong = Object.entries(LIMITS).some(
    ([field, limit]) => lengthOf(draft[field as keyof typeof LIMITS]) > limit,
  );
  const variables = ownVariables(draft);
  return (
    <form
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(toRequest(draft), {
          onSuccess: ({ data }) => void open(data.id),
        });
      }}
    >
      <DraftNotice form={form} />
      <TemplateCard draft={draft} set={set} />
      <Card title={t('Voice')}>
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-3">
            <SelectField
              label={t('What it does')}
              value={draft.type}
              onChange={(event) => set({ type: event.target.value as Draft['type'] })}
            >
              {Object.entries(TYPES).map(([type, name]) => (
                <option key={type} value={type}>
                  {t(name)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('Language')}
              value={draft.language}
              error={errorOf('primary_language')}
              onChange={(event) => set({ language: event.target.value as AgentLanguage, voiceId: '' })}
            >
              <Languages />
            </SelectField>
            <SelectField
              label={t('Second language')}
              value={draft.secondLanguage}
              error={errorOf('secondary_language')}
              onChange={(event) =>
                set({ secondLanguage: event.target.value as AgentLanguage | '', voiceId: '' })
              }
            >
              <option value="">{t('None')}</option>
              <Languages />
            </SelectField>
          </div>
          <VoicePicker
            language={draft.language}
            also={draft.secondLanguage}
            value={draft.voiceId}
            onChange={(voiceId) => set({ voiceId })}
          />
          {errorOf('voice_id') === undefined ? null : (
            <p className="text-sm text-bad">
              {t('Voice:')} {errorOf('voice_id')}
            </p>
          )}
        </div>
      </Card>
      <Card title={t('Words')}>
        <div className="flex flex-col gap-5">
          <TextField
            label={t('Name of the assistant')}
            required
            maxLength={LIMITS.name}
            value={draft.name}
            error={errorOf('agent_name')}
            onChange={(event) => set({ name: event.target.value })}
          />
          <CountedArea
            label={t('First message')}
            required
            rows={2}
            limit={LIMITS.opening}
            hint={t('It opens every call.')}
            value={draft.opening}
            error={errorOf('intro_message')}
            onChange={(event) => set({ opening: event.target.value })}
          />
          {TEXTS.map(([field, wire, label, hint, rows]) => (
            <CountedArea
              key={field}
              label={t(label)}
              required={field !== 'faq' && field !== 'samples'}
              rows={rows}
              limit={LIMITS[field]}
              hint={t(hint)}
              value={draft[field]}
              error={errorOf(wire)}
              onChange={(event) => set({ [field]: event.target.value })}
            />
          ))}
          <p className="text-sm text-muted">
            {variables.length === 0
              ? t('Write {{name}} for a value that each call brings.')
              : t('Each call brings a value for: {value}.', { value: variables.join(', ') })}
          </p>
        </div>
      </Card>
      <Card title={t('When it calls')}>
        <div className="flex flex-col gap-4">
          <WindowField
            labels={['Not before', 'Not after']}
            start={draft.start}
            end={draft.end}
            zone={draft.zone}
            isByCallee={draft.isByCallee}
            errors={{
              start: errorOf('call_config.call_time.call_start_time'),
              end: errorOf('call_config.call_time.call_end_time'),
            }}
            onChange={(change) => set(change)}
          />
          <CheckField
            label={t('In the time zone of the called person')}
            checked={draft.isByCallee}
            onChange={(event) => set({ isByCallee: event.target.checked })}
          />
          <TextField
            label={draft.isByCallee ? t('Time zone of numbers without a country') : t('Time zone')}
            required
            value={draft.zone}
            error={zoneProblem(draft.zone) ?? errorOf('call_config.call_time.timezone')}
            onChange={(event) => set({ zone: event.target.value })}
          />
        </div>
      </Card>
      {create.isError ? <ErrorNote error={create.error} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          look="primary"
          busy={create.isPending || isAdding}
          disabled={draft.voiceId === '' || isTooLong || zoneProblem(draft.zone) !== undefined}
        >
          {t('Create assistant')}
        </Button>
        <CopyCurl operation="createAgent" input={toRequest(draft)} />
        {draft.voiceId === '' ? (
          <span className="text-sm text-muted">{t('Choose a voice first.')}</span>
        ) : null}
      </div>
    </form>
  );
}

const CREATED: ReadonlySet<string> = new Set(AGENT_LANGUAGES);

/** Every language; an assistant is not created in all of them. */
const Languages = (): ReactNode =>
  LANGUAGES.map((tag) => (
    <option key={tag} value={tag} disabled={!CREATED.has(tag)}>
      {formatLanguage(tag)}
      {CREATED.has(tag) ? '' : t(': on the Voice tab, once it is created')}
    </option>
  ));
