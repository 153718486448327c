import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer, Input } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { formatDirection, formatLanguage, Time } from '../../ui/format.tsx';
import { Badge, EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { usePreview } from '../../parts/use-preview.ts';
import { t } from '../../words/words.ts';
import { ImportDialog } from '../agent/import-dialog.tsx';

type Agent = Answer<'listAgents'>['data']['agents'][number];
type Voice = Answer<'listVoices'>['voices'][number];

/** A request that creates one. */
const FIRST_AGENT: Input<'createAgent'> = {
  agent_name: 'Front desk',
  introduction_and_objective: 'You are Maya of Riverside Dental. Confirm the appointment.',
  response_guidelines: 'Short sentences.',
  task: 'Ask whether the person can come.',
  primary_language: 'en-US',
  voice_id: '<an id of GET /api/v0/agent/voices>',
  intro_message: 'Hello, this is Maya of Riverside Dental.',
};

type Player = ReturnType<typeof usePreview>;

/** Plays the voice of an assistant; nothing where there is no sample in its language. */
function PlayVoice({
  agentName,
  preview,
  player: [playing, play],
}: {
  agentName: string;
  preview: string | undefined;
  player: Player;
}): ReactNode {
  if (preview === undefined) return null;
  return (
    <Button
      aria-label={
        playing === preview
          ? t('Stop the voice of {agentName}', { agentName })
          : t('Play the voice of {agentName}', { agentName })
      }
      onClick={() => play(preview)}
    >
      {playing === preview ? t('Stop') : t('Play')}
    </Button>
  );
}

/** To a conversation with an assistant, and to its calls. */
const Ways = ({ agent, mayTry }: { agent: Agent; mayTry: boolean }): ReactNode => (
  <>
    {mayTry ? (
      <Link
        to="/agents/$agentId"
        params={{ agentId: agent.id }}
        search={{ test: true }}
        aria-label={t('Try {name}', { name: agent.agent_display_name })}
        className={buttonClass()}
      >
        {t('Try')}
      </Link>
    ) : null}
    <Link
      to="/calls"
      search={{ agent: agent.id }}
      aria-label={t('Calls of {name}', { name: agent.agent_display_name })}
      className={buttonClass()}
    >
      {t('Calls')}
    </Link>
  </>
);

const columnsOf = (
  voices: ReadonlyMap<string, Voice>,
  player: Player,
  mayTry: boolean,
): readonly Column<Agent>[] => [
  {
    title: 'Name',
    cell: (agent) => (
      <Link to="/agents/$agentId" params={{ agentId: agent.id }} className="font-medium text-accent">
        {agent.agent_display_name}
      </Link>
    ),
  },
  {
    title: 'Direction',
    cell: (agent) => <Badge>{formatDirection(agent.agent_type)}</Badge>,
  },
  {
    title: 'Version',
    cell: (agent) => (
      <span className="flex flex-wrap items-center gap-2">
        {agent.active_version.version_slug}
        {agent.is_ab_live ? <Badge tone="accent">{t('A/B test')}</Badge> : null}
      </span>
    ),
  },
  {
    title: 'Voice',
    cell: ({
      active_version: { voice_id: id, language },
      agent_display_name: agentName,
      agent_type: type,
    }) => {
      // Nobody hears the voice of an assistant that writes.
      if (type === 'whatsapp') return <span className="text-muted">{formatLanguage(language)}</span>;
      const voice = voices.get(id);
      return (
        <span className="flex items-center gap-2 max-sm:flex-wrap">
          <span className="grow">
            {voice?.name ?? <span className="text-muted">{t('Another voice')}</span>}
            <span className="block text-muted">{formatLanguage(language)}</span>
          </span>
          <PlayVoice agentName={agentName} preview={voice?.voice_previews[language]} player={player} />
        </span>
      );
    },
  },
  { title: 'Changed', cell: (agent) => <Time iso={agent.updated_at} isBrief /> },
  {
    title: 'Action',
    cell: (agent) => (
      <span className="flex gap-2">
        <Ways agent={agent} mayTry={mayTry} />
      </span>
    ),
  },
];

/** An assistant on a phone: its name and direction, its voice and version, when it changed, and what can be done with it. */
const phoneRowOf =
  (voices: ReadonlyMap<string, Voice>, player: Player, mayTry: boolean) =>
  (agent: Agent): PhoneRow => {
    const { language, version_slug: slug, voice_id: voiceId } = agent.active_version;
    const { agent_display_name: agentName } = agent;
    const voice = agent.agent_type === 'whatsapp' ? undefined : voices.get(voiceId);
    return {
      title: (
        <Link to="/agents/$agentId" params={{ agentId: agent.id }} className="text-ink no-underline">
          {agentName}
        </Link>
      ),
      state: (
        <span className="flex gap-1.5">
          {agent.is_ab_live ? <Badge tone="accent">{t('A/B test')}</Badge> : null}
          <Badge>{formatDirection(agent.agent_type)}</Badge>
        </span>
      ),
      detail: [voice?.name ?? '', formatLanguage(language), slug].filter(Boolean).join(' · '),
      time: <Time iso={agent.updated_at} isBrief />,
      actions: (
        <span className="flex flex-wrap gap-2">
          <Ways agent={agent} mayTry={mayTry} />
          <PlayVoice agentName={agentName} preview={voice?.voice_previews[language]} player={player} />
        </span>
      ),
    };
  };

export function AgentsPage(): ReactNode {
  const list = useRead('listAgents', { limit: 100 });
  const voices = useRead('listVoices', {});
  const preview = usePreview();
  const mayEdit = useMay('manager');
  const [isImporting, setImporting] = useState(false);
  const byId = new Map((voices.data?.voices ?? []).map((voice) => [voice.id, voice]));
  const add = (
    <Link to="/agents/new" className={buttonClass('primary')}>
      {t('New assistant')}
    </Link>
  );
  return (
    <Page
      title={t('Assistants')}
      intro={t('They talk on the phone, in the browser and in chats.')}
      actions={
        mayEdit ? (
          <>
            <Button onClick={() => setImporting(true)}>{t('Import')}</Button>
            {add}
          </>
        ) : undefined
      }
    >
      {isImporting ? <ImportDialog agentId={null} onClose={() => setImporting(false)} /> : null}
      {list.isPending ? (
        <Loading shape="table" />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.data.agents.length === 0 ? (
        <EmptyState
          title={t('No assistants yet')}
          icon="bot"
          action={mayEdit ? add : undefined}
          curl={<CopyCurl operation="createAgent" input={FIRST_AGENT} />}
        >
          {t(
            'An assistant has a voice, a language and instructions. Create the first one, then call with it.',
          )}
        </EmptyState>
      ) : (
        <Table
          caption={t('Assistants')}
          columns={columnsOf(byId, preview, mayEdit)}
          rows={list.data.data.agents}
          keyOf={(agent) => agent.id}
          phone={phoneRowOf(byId, preview, mayEdit)}
          isList={false}
        />
      )}
    </Page>
  );
}
