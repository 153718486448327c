import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { callingCode } from '../../parts/phone-number.ts';
import { useMay, useWorkspace } from '../../session/session.ts';
import { Button, buttonClass, CheckField, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { Card, EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useNewest } from '../../ui/use-newest.ts';
import type { Template } from '../../parts/whatsapp-template.tsx';
import { ColumnsCard } from './columns-card.tsx';
import { correctedFile } from './corrected-list.ts';
import { emptyDraft, toForm, type Window } from './draft.ts';
import { guessColumns } from './guess-columns.ts';
import type { ListHead } from './list-head.ts';
import { templateCsv } from './list-template.ts';
import { readList } from './read-list.ts';
import { RefusedRows, type RowReport } from './refused-rows.tsx';
import { SECTIONS, stepsOf } from './steps.ts';
import { StepsNav } from './steps-nav.tsx';
import { TemplateCard } from './template-card.tsx';
import { TimesCard } from './times-card.tsx';
import { t } from '../../words/words.ts';

type Agent = Answer<'getAgent'>['agents'];
/** Bytes: larger lists are imported in the background, with progress. */
const LARGE = 4_000_000;
/** Of an assistant without an active version. */
const WHOLE_DAY: Window = {
  call_start_time: '00:00',
  call_end_time: '00:00',
  timezone: 'UTC',
  slots: null,
  use_callee_timezone: false,
};
const FIXED = ['mobile_number', 'callee_name'];
const SECTION = 'flex flex-col gap-4';

/** Chooses the assistant of a new campaign; the form follows. */
export function NewCampaignPage(): ReactNode {
  const mayStart = useMay('manager');
  const agents = useRead('listAgents', { limit: 100 });
  const [chosen, setChosen] = useState('');
  /** Where the form draws its steps: before the choice of the assistant, which outlives the form. */
  const [stepsPlace, setStepsPlace] = useState<HTMLElement | null>(null);
  const callers = (agents.data?.data.agents ?? []).filter(({ agent_type: type }) => type !== 'inbound');
  const campaigns = useRead('listCampaigns', { limit: 1, call_count: false });
  const lastUsed = campaigns.data?.campaigns[0]?.agent_id;
  // The assistant of the last campaign, else one that calls: an assistant that writes needs a number of its own.
  const usual =
    callers.find(({ id }) => id === lastUsed) ??
    callers.find(({ agent_type: type }) => type !== 'whatsapp') ??
    callers[0];
  // The one of the moment of opening: a campaign of somebody else must not replace the form that is filled in.
  const [usualId, setUsualId] = useState('');
  if (usualId === '' && usual !== undefined && !campaigns.isPending) setUsualId(usual.id);
  const agentId = chosen === '' ? usualId : chosen;
  const agent = useRead('getAgent', { agent_id: agentId }, { enabled: agentId !== '' });
  const title = t('New campaign');
  if (!mayStart) {
    return (
      <Page title={title}>
        <EmptyState title={t('Only managers and owners start campaigns')}>
          {t('Ask one of them for the role.')}
        </EmptyState>
      </Page>
    );
  }
  if (agents.isPending || campaigns.isPending) {
    return (
      <Page title={title}>
        <Loading />
      </Page>
    );
  }
  if (agents.isError) {
    return (
      <Page title={title}>
        <ErrorNote error={agents.error} retry={() => void agents.refetch()} />
      </Page>
    );
  }
  if (callers.length === 0) {
    return (
      <Page title={title}>
        <EmptyState
          title={t('No assistant may call or write yet')}
          icon="bot"
          action={
            <Link to="/agents" className={buttonClass('primary')}>
              {t('Open the assistants')}
            </Link>
          }
        >
          {t('A campaign needs an assistant for outbound calls or WhatsApp.')}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={title}
      intro={t(
        'No call and no message leaves before you start the campaign: first the list is checked, then you see the cost.',
      )}
    >
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[13rem_minmax(0,1fr)] xl:gap-6">
        <div ref={setStepsPlace} className="min-w-0 xl:sticky xl:top-4 xl:self-start" />
        <div className="flex min-w-0 flex-col gap-4">
          <div id={SECTIONS.who} className="max-w-md">
            <SelectField
              label={t('Assistant')}
              value={agentId}
              onChange={(event) => setChosen(event.target.value)}
            >
              {callers.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.agent_display_name}
                  {each.agent_type === 'whatsapp' ? ` ${t('(WhatsApp)')}` : ''}
                </option>
              ))}
            </SelectField>
          </div>
          {agent.isPending ? (
            <Loading />
          ) : agent.isError ? (
            <ErrorNote error={agent.error} retry={() => void agent.refetch()} />
          ) : (
            <ListForm key={agentId} agent={agent.data.agents} stepsPlace={stepsPlace} />
          )}
        </div>
      </div>
    </Page>
  );
}

function ListForm({ agent, stepsPlace }: { agent: Agent; stepsPlace: HTMLElement | null }): ReactNode {
  const navigate = useNavigate();
  const version = agent.version_details[agent.active_agent_version_id];
  const window: Window = version?.call_config.call_time ?? WHOLE_DAY;
  const isWritten = agent.agent_type === 'whatsapp';
  const [template, setTemplate] = useState<Template | null>(null);
  const variables = isWritten
    ? [...FIXED, ...(template?.variables ?? [])]
    : [...new Set([...FIXED, ...(version?.agent_config.custom_variables ?? [])])];
  const home = callingCode(useWorkspace()?.country ?? null);
  const form = useDraft(emptyDraft(window, home), `New campaign ${agent.id}`, t('New campaign'));
  const { draft, set: change } = form;
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [head, setHead] = useState<ListHead | null>(null);
  const [map, setMap] = useState<Readonly<Record<string, string>>>({});
  const save = useChange('saveCampaign', ['listCampaigns']);
  const upload = useChange('uploadCampaign', ['listCampaigns']);
  const error = save.error ?? upload.error;
  const fields = error?.fields ?? new Map<string, string>();
  const report = error === null ? null : reportOf(error.body);
  const required = ['mobile_number', ...(template?.variables ?? [])];
  const steps = stepsOf({
    agentName: agent.agent_display_name,
    isWritten,
    hasTemplate: template !== null,
    isRead: head !== null,
    fileName: file?.name ?? null,
    required,
    map,
    draft,
    window,
    isRefused: report !== null,
  });
  const isBusy = save.isPending || upload.isPending;
  const beginRead = useNewest();
  const choose = async (next: File | null): Promise<void> => {
    save.reset();
    upload.reset();
    setFile(next);
    setHead(null);
    setRefusal(null);
    const isNewest = beginRead();
    if (next === null) return;
    const read = await readList(next);
    if (!isNewest()) return;
    if (typeof read === 'string') {
      setFile(null);
      setRefusal(read);
      return;
    }
    setHead(read);
    setMap(guessColumns(variables, read.header));
  };
  const chooseTemplate = (next: Template | null): void => {
    setTemplate(next);
    if (head !== null) setMap(guessColumns([...FIXED, ...(next?.variables ?? [])], head.header));
  };
  const send = (list: File, sent = draft): void => {
    save.reset();
    upload.reset();
    const body = toForm(sent, agent.id, list, map, window, template);
    const open = ({ list_id: campaignId }: { list_id: string }): void => {
      form.done();
      void navigate({ to: '/campaigns/$campaignId', params: { campaignId } });
    };
    if (list.size > LARGE) upload.mutate({ form: body }, { onSuccess: open });
    else save.mutate({ form: body }, { onSuccess: open });
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== null) send(file);
      }}
    >
      {stepsPlace === null ? null : createPortal(<StepsNav steps={steps} />, stepsPlace)}
      <DraftNotice form={form} lost="Choose the file again." />
      {isWritten ? (
        <TemplateCard
          agentId={agent.id}
          template={template}
          error={fields.get('template')}
          onChange={chooseTemplate}
        />
      ) : null}
      <div id={SECTIONS.list} className={SECTION}>
        <Card title={t('List')}>
          <div className="flex flex-col gap-4">
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <TextField
                label={t('File')}
                type="file"
                accept=".csv,.tsv,.txt,text/csv,.xlsx"
                required
                error={refusal ?? (report === null ? fields.get('file') : undefined)}
                hint={t(
                  'CSV or Excel (.xlsx, its first sheet) with a header row: choose it, or drop it on the field.',
                )}
                onChange={(event) => void choose(event.target.files?.[0] ?? null)}
              />
              <div className="flex flex-col items-start gap-1.5 sm:pt-6">
                <Button onClick={() => saveFile(templateCsv(variables), 'contact-list.csv')}>
                  {t('Download an empty list')}
                </Button>
                <p className="max-w-prose text-sm text-muted">
                  {isWritten
                    ? t(
                        'It has the columns of this template. Write numbers with their country code, and format the column as text: spreadsheets change long numbers and a leading plus.',
                      )
                    : t(
                        'It has the columns of this assistant. Write numbers with their country code, and format the column as text: spreadsheets change long numbers and a leading plus.',
                      )}
                </p>
              </div>
            </div>
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label={t('Name of the campaign')}
                value={draft.name}
                maxLength={200}
                error={fields.get('campaign_name')}
                hint={t('Empty: the name of the file.')}
                onChange={(event) => change({ name: event.target.value })}
              />
              <TextField
                label={t('Country code of numbers without one')}
                value={draft.countryCode}
                hint={t('Such as +1 or +44; needed only if numbers have none.')}
                error={fields.get('country_code')}
                onChange={(event) => change({ countryCode: event.target.value })}
              />
            </div>
            <CheckField
              label={t('Leave invalid rows out, instead of refusing the list')}
              checked={draft.skipInvalid}
              onChange={(event) => change({ skipInvalid: event.target.checked })}
            />
          </div>
        </Card>
        {head === null ? null : (
          <ColumnsCard
            head={head}
            variables={variables}
            required={required}
            map={map}
            errors={fields}
            onChange={(variable, column) => setMap({ ...map, [variable]: column })}
          />
        )}
      </div>
      {head === null ? null : (
        <div id={SECTIONS.when} className={SECTION}>
          <TimesCard draft={draft} isWritten={isWritten} window={window} errors={fields} onChange={change} />
        </div>
      )}
      <div id={SECTIONS.check} className={SECTION}>
        {error === null || report !== null ? null : <ErrorNote error={error} />}
        {report === null ? null : (
          <RefusedRows
            report={report}
            onCorrect={
              file === null || head === null
                ? undefined
                : async (corrections) => {
                    const corrected = await correctedFile(file, corrections);
                    if (corrected === null) return false;
                    setFile(corrected);
                    send(corrected);
                    return true;
                  }
            }
            leaveOut={
              file === null || report.successful_rows === 0 ? undefined : (
                <Button
                  busy={isBusy}
                  onClick={() => {
                    change({ skipInvalid: true });
                    send(file, { ...draft, skipInvalid: true });
                  }}
                >
                  {t('Leave these rows out')}
                </Button>
              )
            }
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={isBusy}>
            {t('Check the list')}
          </Button>
          {file === null ? null : (
            <CopyCurl
              operation="saveCampaign"
              input={{ form: toForm(draft, agent.id, file, map, window, template) }}
            />
          )}
        </div>
      </div>
    </form>
  );
}

/** The row report of a refused list; null when something else was refused. */
function reportOf(body: Readonly<Record<string, unknown>>): RowReport | null {
  return Array.isArray(body['invalid_rows']) ? (body as unknown as RowReport) : null;
}
