import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { LANGUAGES } from '@callwright/language';
import { AGENT_LANGUAGES } from '../../../../src/shared/agent-languages.ts';
import { useChange } from '../../api/queries.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { lengthOf } from '../../ui/counted-area.tsx';
import { formatLanguage } from '../../ui/format.tsx';
import { notify } from '../../ui/toasts.ts';
import { Card, EmptyState, ErrorNote, Page } from '../../ui/page.tsx';
import { useVoice, VoiceChoice } from '../../parts/voice-choice.tsx';
import { VariableArea } from '../../parts/variable-area.tsx';
import { zoneProblem } from '../../parts/window-field.tsx';
import { addFlow } from './add-flow.ts';
import {
  EMPTY_DRAFT,
  isWriter,
  LIMITS,
  offeredVariables,
  ownVariables,
  templateOf,
  toRequest,
  type AgentLanguage,
  type Draft,
} from './draft.ts';
import { HoursCard } from './hours-card.tsx';
import { PurposeCard } from './purpose-card.tsx';
import { plainMessage } from '../../ui/plain-message.ts';
import { t } from '../../words/words.ts';

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

/** A new assistant: what it is for, who it is, then what it says. */
export function NewAgentPage(): ReactNode {
  const mayEdit = useMay('manager');
  return (
    <Page
      title={t('New assistant')}
      intro={t('Whether it calls or writes stays; everything else can be changed later.')}
    >
      {mayEdit ? (
        <NewAgentForm />
      ) : (
        <EmptyState title={t('Managers and owners create assistants')}>
          {t('Ask one of them, or ask for another role.')}
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
            message: plainMessage(error.message),
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
  const offered = offeredVariables(draft);
  const writes = isWriter(draft);
  // The service asks for a voice of a writer, too; nobody hears it.
  const { voice } = useVoice(draft.language, writes ? '' : draft.secondLanguage, draft.voiceId);
  const request = toRequest({ ...draft, voiceId: voice?.id ?? '' });
  return (
    <form
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(request, {
          onSuccess: ({ data }) => void open(data.id),
        });
      }}
    >
      <DraftNotice form={form} />
      <PurposeCard draft={draft} set={set} />
      <Card title={t('Who it is')}>
        <div className="flex flex-col gap-4">
          <TextField
            label={t('Name of the assistant')}
            required
            maxLength={LIMITS.name}
            value={draft.name}
            error={errorOf('agent_name')}
            onChange={(event) => set({ name: event.target.value })}
          />
          <div className="grid gap-4 sm:grid-cols-2">
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
          {writes ? null : (
            <VoiceChoice
              language={draft.language}
              also={draft.secondLanguage}
              value={draft.voiceId}
              error={errorOf('voice_id')}
              onChange={(voiceId) => set({ voiceId })}
            />
          )}
        </div>
      </Card>
      <Card title={t('Words')}>
        <div className="flex flex-col gap-5">
          <VariableArea
            label={t('First message')}
            required
            rows={2}
            limit={LIMITS.opening}
            variables={offered}
            hint={writes ? t('It opens every conversation.') : t('It opens every call.')}
            value={draft.opening}
            error={errorOf('intro_message')}
            onChange={(event) => set({ opening: event.target.value })}
          />
          {TEXTS.map(([field, wire, label, hint, rows]) => (
            <VariableArea
              key={field}
              label={writes && field === 'guidelines' ? t('How it writes') : t(label)}
              required={field !== 'faq' && field !== 'samples'}
              rows={rows}
              limit={LIMITS[field]}
              variables={offered}
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
      {writes ? null : <HoursCard draft={draft} set={set} errorOf={errorOf} />}
      {create.isError ? <ErrorNote error={create.error} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          look="primary"
          busy={create.isPending || isAdding}
          disabled={voice === undefined || isTooLong || (!writes && zoneProblem(draft.zone) !== undefined)}
        >
          {t('Create assistant')}
        </Button>
        <CopyCurl operation="createAgent" input={request} />
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
      {CREATED.has(tag) ? '' : t(': under Voice, once it is created')}
    </option>
  ));
