import { useState, type ReactNode } from 'react';
import { call, type Answer } from '../../api/client.ts';
import { queryClient, useChange, useRead } from '../../api/queries.ts';
import { sessionQuery, useMay, useWorkspace } from '../../session/session.ts';
import { chooseCountry, homeCountry, zoneOf, zonesOf } from '../../parts/home-country.ts';
import { COUNTRIES } from '../../parts/phone-number.ts';
import { usePreview } from '../../parts/use-preview.ts';
import { Button, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { notify } from '../../ui/toasts.ts';
import { addFlow } from '../agent-new/add-flow.ts';
import { LIMITS, toRequest } from '../agent-new/draft.ts';
import { draftOf, withCompany, type Beginning } from './beginnings.ts';
import type { Made } from './try-assistant.tsx';
import { plainMessage } from '../../ui/plain-message.ts';
import { t } from '../../words/words.ts';

/** The name and the first words of the assistant; its voice is chosen, and its hours are those of the called person. */
export function MakeAssistant({
  beginning,
  onBack,
  onMade,
}: {
  beginning: Beginning;
  onBack: () => void;
  onMade: (made: Made) => void;
}): ReactNode {
  const { template } = beginning;
  const begin = draftOf(beginning);
  const workspace = useWorkspace();
  const isOwner = useMay('owner');
  const voices = useRead('listVoices', { language: begin.language });
  const [name, setName] = useState(begin.name);
  const [company, setCompany] = useState('');
  const [opening, setOpening] = useState(begin.opening);
  const [task, setTask] = useState(begin.task);
  const [country, setCountry] = useState(() => homeCountry());
  const [hours, setHours] = useState({ start: begin.start, end: begin.end, zone: zoneOf(country) });
  const zones = country === '' ? [] : zonesOf(country);
  const [isAdding, setAdding] = useState(false);
  const objective = withCompany(begin.objective, template, company);
  const create = useChange('createAgent', ['listAgents']);
  const voice = voices.data?.voices[0];
  const voiceId = voice?.id ?? '';
  const chooseCompany = (next: string): void => {
    // Words that the person wrote stay.
    if (opening === withCompany(begin.opening, template, company))
      setOpening(withCompany(begin.opening, template, next));
    setCompany(next);
  };
  /** The first assistant says where the workspace is, unless its owner has chosen that. */
  const settleWorkspace = async (): Promise<void> => {
    if (!isOwner || workspace === null || workspace.country !== null || workspace.timezone !== 'UTC') return;
    const where = { timezone: hours.zone, ...(country === '' ? {} : { country }) };
    await call('setWorkspaceSettings', where)
      .then(() => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }))
      .catch((error: Error) =>
        notify({
          text: t('The time zone is not saved: {message}', { message: plainMessage(error.message) }),
          tone: 'bad',
        }),
      );
  };
  const finish = async (agentId: string): Promise<void> => {
    setAdding(true);
    if (country !== '') chooseCountry(country);
    await settleWorkspace();
    if (template !== undefined)
      await addFlow(agentId, template).catch((error: Error) =>
        notify({
          text: t('The assistant lacks steps of its template: {message}', {
            message: plainMessage(error.message),
          }),
          tone: 'bad',
        }),
      );
    onMade({ agentId, name, template });
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(toRequest({ ...begin, ...hours, name, opening, objective, task, voiceId }), {
          onSuccess: ({ data }) => void finish(data.id),
        });
      }}
    >
      <Card title={template === undefined ? t('Your assistant') : t(template.name)}>
        <div className="flex max-w-xl flex-col gap-4">
          <TextField
            label={t('Name of the assistant')}
            required
            maxLength={LIMITS.name}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {template === undefined ? null : (
            <TextField
              label={t('Your company')}
              maxLength={100}
              placeholder={template.company}
              hint={t('The assistant says it in place of {name}.', { name: template.company })}
              value={company}
              onChange={(event) => chooseCompany(event.target.value)}
            />
          )}
          <TextArea
            label={t('First words')}
            required
            rows={3}
            maxLength={LIMITS.opening}
            hint={
              workspace === null
                ? t('What people hear when they answer. Say there who calls.')
                : t('What people hear when they answer. Say there who calls, such as {name}.', {
                    name: company === '' ? workspace.name : company,
                  })
            }
            value={opening}
            onChange={(event) => setOpening(event.target.value)}
          />
          {template === undefined ? (
            <TextArea
              label={t('What it does, step by step')}
              required
              rows={8}
              maxLength={LIMITS.task}
              value={task}
              onChange={(event) => setTask(event.target.value)}
            />
          ) : null}
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label={t('Country')}
              hint={t('Numbers without a country code belong to it.')}
              value={country}
              onChange={({ target }) => {
                const next = COUNTRIES.find(([code]) => code === target.value)?.[0] ?? '';
                setCountry(next);
                setHours({ ...hours, zone: zoneOf(next) });
              }}
            >
              {country === '' ? <option value="">{t('Choose')}</option> : null}
              {COUNTRIES.map(([code, each]) => (
                <option key={code} value={code}>
                  {each}
                </option>
              ))}
            </SelectField>
            {zones.length > 1 ? (
              <SelectField
                label={t('Time zone')}
                value={hours.zone}
                onChange={({ target }) => setHours({ ...hours, zone: target.value })}
              >
                {zones.map((zone) => (
                  <option key={zone} value={zone}>
                    {zone.replaceAll('_', ' ')}
                  </option>
                ))}
              </SelectField>
            ) : null}
          </div>
          <div className="grid grid-cols-2 gap-4">
            <TextField
              label={t('Not before')}
              type="time"
              required
              value={hours.start}
              onChange={({ target }) => setHours({ ...hours, start: target.value })}
            />
            <TextField
              label={t('Not after')}
              type="time"
              required
              value={hours.end}
              onChange={({ target }) => setHours({ ...hours, end: target.value })}
            />
          </div>
          {voice === undefined ? null : <HearVoice voice={voice} language={begin.language} />}
          <p className="text-muted">
            {t(
              'It speaks English, and calls in these hours on the clock of the called person; where that is unknown, on that of {zone}. All of it can be changed later.',
              { zone: hours.zone.replaceAll('_', ' ') },
            )}
          </p>
        </div>
      </Card>
      {voices.isError ? <ErrorNote error={voices.error} retry={() => void voices.refetch()} /> : null}
      {create.isError ? <ErrorNote error={create.error} /> : null}
      <div className="flex gap-2">
        <Button onClick={onBack}>{t('Back')}</Button>
        <Button type="submit" look="primary" busy={create.isPending || isAdding} disabled={voiceId === ''}>
          {t('Create and try it')}
        </Button>
      </div>
    </form>
  );
}

/** The voice that the assistant begins with, to be heard. */
function HearVoice({
  voice: { name, voice_previews: previews },
  language,
}: {
  voice: Answer<'listVoices'>['voices'][number];
  language: string;
}): ReactNode {
  const [playing, play] = usePreview();
  const preview = previews[language];
  return (
    <div role="group" aria-label={t('Voice')} className="flex flex-wrap items-center gap-3">
      <span>
        <span className="text-muted">{t('Voice')}</span> {name}
      </span>
      {preview === undefined ? null : (
        <Button
          aria-label={playing === preview ? t('Stop {name}', { name }) : t('Hear {name}', { name })}
          onClick={() => play(preview)}
        >
          {playing === preview ? t('Stop') : t('Hear it')}
        </Button>
      )}
    </div>
  );
}
