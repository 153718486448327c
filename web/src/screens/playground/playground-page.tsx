import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { buttonClass, SelectField } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { CALL_VARIABLES, variablesIn } from '../../parts/prompt-variables.ts';
import { useOpenDraft } from '../agent/use-open-draft.ts';
import type { Agent, Version } from '../agent/types.ts';
import { TextPanel } from './text-panel.tsx';
import { sentValues, VariablesForm, type Values } from './variables-form.tsx';
import { VoiceCard } from './voice-card.tsx';
import { t } from '../../words/words.ts';

/** Converses with a version of an assistant, without a phone call. */
export function PlaygroundPage(): ReactNode {
  const { agentId } = useParams({ from: '/app/agents/$agentId/playground' });
  const { version: wanted } = useSearch({ from: '/app/agents/$agentId/playground' });
  const read = useRead('getAgent', { agent_id: agentId });
  const mayTest = useMay('manager');
  const draft = useOpenDraft(agentId);
  const agent = read.data?.agents;
  const version =
    draft != null && wanted === draft.version_id
      ? draft.version
      : agent?.version_details[wanted ?? agent.active_agent_version_id];
  return (
    <Page
      title={t('Playground')}
      intro={
        agent === undefined
          ? undefined
          : t('{agentDisplayName}, version {versionSlug}. By text no phone rings, and nothing is charged.', {
              agentDisplayName: agent.agent_display_name,
              versionSlug: version?.version_slug ?? 'unknown',
            })
      }
      actions={
        <Link
          to="/agents/$agentId"
          params={{ agentId }}
          search={wanted === undefined ? {} : { version: wanted }}
          className={buttonClass()}
        >
          {t('Edit the assistant')}
        </Link>
      }
    >
      <Loaded read={read}>
        {() =>
          agent === undefined || version === undefined ? (
            <EmptyState title={t('There is no such version')}>
              {t('Open the playground from the assistant.')}
            </EmptyState>
          ) : !mayTest ? (
            <EmptyState title={t('Managers and owners try assistants')}>
              {t('A conversation uses the models of the workspace.')}
            </EmptyState>
          ) : (
            <Conversations key={version.version_id} agent={agent} version={version} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Conversations({ agent, version }: { agent: Agent; version: Version }): ReactNode {
  const navigate = useNavigate({ from: '/agents/$agentId/playground' });
  const [values, setValues] = useState<Values>({});
  const config = version.agent_config;
  const used = variablesIn([config.agent_prompt, config.intro_message]);
  const variables = [...new Set([...CALL_VARIABLES, ...config.custom_variables, ...used])];
  const args = sentValues(variables, values);
  return (
    <>
      <div className="max-w-sm">
        <SelectField
          label={t('Version')}
          value={version.version_id}
          onChange={(event) => void navigate({ search: { version: event.target.value } })}
        >
          {Object.values({ ...agent.version_details, [version.version_id]: version })
            .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
            .map((each) => (
              <option key={each.version_id} value={each.version_id}>
                {each.version_slug}
                {each.version_id === agent.active_agent_version_id ? ' (active)' : ''}
              </option>
            ))}
        </SelectField>
      </div>
      <VariablesForm variables={variables} used={used} values={values} onChange={setValues} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <TextPanel agentId={agent.id} versionId={version.version_id} args={args} />
        <VoiceCard agent={agent} version={version} args={args} />
      </div>
    </>
  );
}
