import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { buttonClass } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { CALL_VARIABLES, variablesIn } from '../../ui/prompt-variables.ts';
import { TextPanel } from './text-panel.tsx';
import { VoiceCard } from './voice-card.tsx';

/** Converses with a version of an assistant, without a phone call. */
export function PlaygroundPage(): ReactNode {
  const { agentId } = useParams({ from: '/app/agents/$agentId/playground' });
  const { version: wanted } = useSearch({ from: '/app/agents/$agentId/playground' });
  const read = useRead('getAgent', { agent_id: agentId });
  const mayTest = useMay('manager');
  const agent = read.data?.agents;
  const version = agent?.version_details[wanted ?? agent.active_agent_version_id];
  return (
    <Page
      title="Playground"
      intro={
        agent === undefined
          ? undefined
          : `${agent.agent_display_name}, version ${version?.version_slug ?? 'unknown'}. By text no phone rings, and nothing is charged.`
      }
      actions={
        <Link
          to="/agents/$agentId"
          params={{ agentId }}
          search={wanted === undefined ? {} : { version: wanted }}
          className={buttonClass()}
        >
          Edit the assistant
        </Link>
      }
    >
      <Loaded read={read}>
        {() =>
          agent === undefined || version === undefined ? (
            <EmptyState title="There is no such version">Open the playground from the assistant.</EmptyState>
          ) : !mayTest ? (
            <EmptyState title="Managers and owners try assistants">
              A conversation uses the models of the workspace.
            </EmptyState>
          ) : (
            <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
              <TextPanel
                key={version.version_id}
                agentId={agentId}
                versionId={version.version_id}
                variables={[
                  ...new Set([
                    ...CALL_VARIABLES,
                    ...version.agent_config.custom_variables,
                    ...variablesIn([version.agent_config.agent_prompt, version.agent_config.intro_message]),
                  ]),
                ]}
              />
              <VoiceCard agent={agent} version={version} />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
