import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { patient } from '../../api/patient.ts';
import { UnsavedArea } from '../../drafts/unsaved.ts';
import { DraftScope } from '../../drafts/use-draft.ts';
import { CasesTab } from '../test-cases/cases-tab.tsx';
import { AbTestCard } from './ab-test-card.tsx';
import { AddressesCard } from './addresses-card.tsx';
import type { Agent, Version } from './types.ts';
import { CallsCard } from './calls-card.tsx';
import { ChatSettingsCard } from './chat-settings-card.tsx';
import { ClientAnalysisCard } from './client-analysis-card.tsx';
import { CompareCard } from './compare-card.tsx';
import { EvaluationsCard } from './evaluations-card.tsx';
import { EventsCard } from './events-card.tsx';
import { FirstSpeakerCard } from './first-speaker-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { TabForms } from './saving/tab-forms.tsx';
import { SoundCard, VoicemailCard } from './handling-card.tsx';
import { InterruptionsCard, SensitivityCard } from './interruptions-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { KnowledgeCard } from './knowledge-card.tsx';
import { ModelsTab } from './models-tab.tsx';
import { NameCard } from './name-card.tsx';
import { OpeningCard } from './opening-card.tsx';
import { PromptCard } from './prompt-card.tsx';
import { PublicKeyCard } from './public-key-card.tsx';
import { PhrasesCard, SpeedCard, VocabularyCard } from './speech-card.tsx';
import type { Tab } from './tabs.ts';
import { ScorecardTab } from './scorecard-tab.tsx';
import { ToolsTab } from './tools-tab.tsx';
import { VariablesCard } from './variables-card.tsx';
import { Versions } from './versions.tsx';
import { VoiceCard } from './voice-card.tsx';
import { WebSessionsCard } from './web-sessions-card.tsx';
import { WidgetCard } from './widget-card.tsx';
import { Loading } from '../../ui/page.tsx';
import { withWords } from '../../words/words.ts';

const FlowTab = lazyRouteComponent(
  patient(withWords('flow', () => import('../agent-flow/flow-tab.tsx'))),
  'FlowTab',
);

const Columns = ({ children }: { children: ReactNode }): ReactNode => (
  <div className="grid items-start gap-6 @3xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">{children}</div>
);
const Column = ({ children }: { children: ReactNode }): ReactNode => (
  <div className="flex min-w-0 flex-col gap-6">{children}</div>
);

/** The panels of one version. A panel stays mounted once opened, so that another tab loses no changes. */
export function TabPanels({
  tab,
  agent,
  version,
  versions,
  place,
  isActive,
  mayEdit,
  mayEditVersion,
}: {
  tab: Tab;
  agent: Agent;
  version: Version;
  versions: readonly Version[];
  /** What typed text is kept for: the version that the page edits, or the working one with its draft. */
  place: string;
  /** New calls use the version. */
  isActive: boolean;
  mayEdit: boolean;
  /** The version may be edited here. */
  mayEditVersion: boolean;
}): ReactNode {
  const [opened, setOpened] = useState<readonly Tab[]>([tab]);
  if (!opened.includes(tab)) setOpened([...opened, tab]);
  const target = { agentId: agent.id, version, mayEdit: mayEditVersion };
  const writes = agent.agent_type === 'whatsapp';
  const panels: Readonly<Record<Tab, () => ReactNode>> = {
    instructions: () => (
      <Columns>
        <Column>
          <OpeningCard {...target} />
          <PromptCard {...target} />
        </Column>
        <Column>
          <NameCard {...target} mayEdit={mayEdit} name={agent.agent_display_name} />
          <VariablesCard {...target} agentType={agent.agent_type} />
        </Column>
      </Columns>
    ),
    flow: () => (
      <Suspense fallback={<Loading shape="cards" />}>
        <FlowTab {...target} />
      </Suspense>
    ),
    voice: () => (
      <Columns>
        <VoiceCard {...target} isLive={isActive && !agent.is_ab_live} />
        <Column>
          <SpeedCard {...target} />
          <VocabularyCard {...target} />
        </Column>
      </Columns>
    ),
    behaviour: () =>
      writes ? (
        <Columns>
          <ChatSettingsCard {...target} />
        </Columns>
      ) : (
        <Columns>
          <Column>
            <CallsCard {...target} />
            <KeysCard {...target} />
            <PhrasesCard {...target} />
          </Column>
          <Column>
            <FirstSpeakerCard {...target} />
            <VoicemailCard {...target} />
            <InterruptionsCard {...target} />
            <SensitivityCard {...target} />
            <SoundCard {...target} />
          </Column>
        </Columns>
      ),
    tools: () => <ToolsTab {...target} />,
    connections: () => (
      <Columns>
        <EventsCard {...target} agentType={agent.agent_type} />
        <KnowledgeCard {...target} />
      </Columns>
    ),
    analysis: () => (
      <Columns>
        <ClientAnalysisCard {...target} labels={agent.classification_labels} />
        <EvaluationsCard {...target} />
      </Columns>
    ),
    scorecard: () => <ScorecardTab agentId={agent.id} mayEdit={mayEdit} />,
    tests: () => <CasesTab {...target} mayEdit={mayEdit} agent={agent} />,
    models: () => <ModelsTab {...target} writes={writes} />,
    browser: () => (
      <Columns>
        <Column>
          <WidgetCard agent={agent} mayCall={mayEdit} />
        </Column>
        <Column>
          <AddressesCard {...target} />
          <WebSessionsCard {...target} />
          <PublicKeyCard agent={agent} mayEdit={mayEdit} />
        </Column>
      </Columns>
    ),
    versions: () => (
      <Column>
        <Versions agent={agent} versions={versions} mayEdit={mayEdit} />
        <AbTestCard agent={agent} versions={versions} mayEdit={mayEdit} />
        <CompareCard version={version} versions={versions} />
      </Column>
    ),
    history: () => <HistoryCard agentId={agent.id} mayEdit={mayEdit} />,
  };
  const [scope] = useState(() => ['agent', agent.id, place]);
  return (
    <DraftScope value={scope}>
      {opened.map((each) => (
        <div key={each} hidden={each !== tab} className="@container">
          <UnsavedArea value={each}>
            <TabForms>{panels[each]()}</TabForms>
          </UnsavedArea>
        </div>
      ))}
    </DraftScope>
  );
}
