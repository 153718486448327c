import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { buttonClass, CopyButton, SelectField } from '../../ui/controls.tsx';
import { formatCode, formatLanguage } from '../../ui/format.tsx';
import { Badge, Card, EmptyState, ErrorNote, Facts, Loading, Page } from '../../ui/page.tsx';
import { CallsCard } from './calls-card.tsx';
import { Connections } from './connections.tsx';
import { OpeningCard } from './opening-card.tsx';
import { PromptCard } from './prompt-card.tsx';
import { Versions } from './versions.tsx';
import { VoiceCard } from './voice-card.tsx';

export type Agent = Answer<'getAgent'>['agents'];
export type Version = Agent['version_details'][string];
/** What every editor of a version needs. */
export interface VersionProps {
  readonly agentId: string;
  readonly version: Version;
  readonly mayEdit: boolean;
}

export function AgentPage(): ReactNode {
  const { agentId } = useParams({ from: '/app/agents/$agentId' });
  const read = useRead('getAgent', { agent_id: agentId });
  if (read.isPending) {
    return (
      <Page title="Assistant">
        <Loading />
      </Page>
    );
  }
  if (read.isError) {
    return (
      <Page title="Assistant">
        <ErrorNote error={read.error} retry={() => void read.refetch()} />
      </Page>
    );
  }
  return <AgentDetails key={agentId} agent={read.data.agents} />;
}

function AgentDetails({ agent }: { agent: Agent }): ReactNode {
  const { version: wanted } = useSearch({ from: '/app/agents/$agentId' });
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const mayEdit = useMay('manager');
  const versions = Object.values(agent.version_details).toSorted((a, b) =>
    b.created_at.localeCompare(a.created_at),
  );
  const version = agent.version_details[wanted ?? agent.active_agent_version_id];
  const isActive = version?.version_id === agent.active_agent_version_id;
  return (
    <Page
      title={agent.agent_display_name}
      intro={
        <span className="flex flex-wrap items-center gap-2">
          <Badge>{formatCode(agent.agent_type)}</Badge>
          {agent.is_ab_live ? <Badge tone="accent">A/B test running</Badge> : null}
          <span>
            Id <code className="font-mono text-sm">{agent.id}</code>
          </span>
        </span>
      }
      actions={
        <>
          <CopyButton text={agent.id} label="Copy id" />
          <Link to="/calls" search={{ agent: agent.id }} className={buttonClass()}>
            Show calls
          </Link>
        </>
      }
    >
      <div className="max-w-sm">
        <SelectField
          label="Version"
          value={version?.version_id ?? ''}
          hint={
            isActive
              ? 'New calls use this version. Changes apply to calls that start after them.'
              : 'New calls use another version until you activate this one.'
          }
          onChange={(event) => void navigate({ search: { version: event.target.value } })}
        >
          {versions.map((each) => (
            <option key={each.version_id} value={each.version_id}>
              {each.version_slug}
              {each.version_id === agent.active_agent_version_id ? ' (active)' : ''}
            </option>
          ))}
        </SelectField>
      </div>
      {version === undefined ? (
        <EmptyState title="There is no such version">Choose another one above.</EmptyState>
      ) : (
        <div
          key={version.version_id}
          className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
        >
          <div className="flex flex-col gap-6">
            <OpeningCard agentId={agent.id} version={version} mayEdit={mayEdit} />
            <PromptCard agentId={agent.id} version={version} mayEdit={mayEdit} />
          </div>
          <div className="flex flex-col gap-6">
            <VoiceCard agentId={agent.id} version={version} mayEdit={mayEdit} />
            <CallsCard agentId={agent.id} version={version} mayEdit={mayEdit} />
            <Card title="Variables">
              <Facts
                rows={[
                  ['Language', formatLanguage(version.language)],
                  [
                    'Second language',
                    version.secondary_language === null ? 'None' : formatLanguage(version.secondary_language),
                  ],
                  [
                    'Variables',
                    version.agent_config.custom_variables.length === 0
                      ? 'None'
                      : version.agent_config.custom_variables.join(', '),
                  ],
                ]}
              />
            </Card>
            <Connections version={version} />
          </div>
        </div>
      )}
      <Versions agent={agent} versions={versions} mayEdit={mayEdit} />
    </Page>
  );
}
