import type { Input } from '../../api/client.ts';
import type { AGENT_LANGUAGES } from '../../../../src/shared/agent-languages.ts';
import { FLOW_TEMPLATES } from '../../../../src/shared/flow-templates/list.ts';
import type { FlowTemplate } from '../../../../src/shared/flow-templates/template.ts';
import { readerZone } from '../../parts/time-zones.ts';
import { CALL_VARIABLES, PREVIOUS_SUMMARY, variablesIn } from '../../parts/prompt-variables.ts';

export type AgentLanguage = (typeof AGENT_LANGUAGES)[number];
type AgentType = NonNullable<Input<'createAgent'>['agent_type']>;

/** A new assistant as typed so far. */
export interface Draft {
  /** The id of the template that brings the flow; empty: none. */
  readonly template: string;
  readonly name: string;
  readonly type: AgentType;
  readonly language: AgentLanguage;
  readonly secondLanguage: AgentLanguage | '';
  /** Empty: the first that speaks the languages. */
  readonly voiceId: string;
  readonly opening: string;
  readonly objective: string;
  readonly guidelines: string;
  readonly task: string;
  readonly faq: string;
  readonly samples: string;
  /** The calling window: its times, its zone, and whether it is read on the clock of the called person. */
  readonly start: string;
  readonly end: string;
  readonly zone: string;
  readonly isByCallee: boolean;
}

export const EMPTY_DRAFT: Draft = {
  template: '',
  name: '',
  type: 'outbound',
  language: 'en-US',
  secondLanguage: '',
  voiceId: '',
  opening: '',
  objective: '',
  guidelines: '',
  task: '',
  faq: '',
  samples: '',
  start: '09:00',
  end: '21:00',
  zone: readerZone(),
  isByCallee: true,
};

/** The texts of a draft with the most characters that the service takes. */
export const LIMITS = {
  name: 100,
  opening: 500,
  objective: 2000,
  guidelines: 3000,
  task: 1500,
  faq: 5000,
  samples: 5000,
} as const;

/** Whether the assistant writes and does not talk: it calls nobody, and nobody hears its voice. */
export const isWriter = ({ type }: Pick<Draft, 'type'>): boolean => type === 'whatsapp';

export const templateOf = (draft: Draft): FlowTemplate | undefined =>
  FLOW_TEMPLATES.find(({ id }) => id === draft.template);

/** What changes in a draft that starts from the template `id`; empty: the texts stay, and no flow comes with them. */
export function fromTemplate(draft: Draft, id: string): Partial<Draft> {
  const template = FLOW_TEMPLATES.find((each) => each.id === id);
  if (template === undefined) return { template: '' };
  const { name, type, opening, objective, guidelines, task } = template;
  const isEnglish = draft.language.startsWith('en-');
  return {
    template: id,
    name: draft.name === '' ? name : draft.name,
    // The flow of a template leads chats as it leads calls.
    type: isWriter(draft) ? draft.type : type,
    opening,
    objective,
    guidelines,
    task,
    ...(isEnglish ? {} : { language: 'en-US', voiceId: '' }),
  };
}

/**
 * The variables that the draft's texts and the flow of its template use, beside those of every call and of the flow, and the
 * summary that the service fills in.
 */
export function ownVariables(draft: Draft): readonly string[] {
  const flow = templateOf(draft)?.flow;
  const ofFlow = new Set((flow?.variables ?? []).map(({ name }) => name));
  return variablesIn([
    draft.opening,
    draft.objective,
    draft.guidelines,
    draft.task,
    draft.faq,
    draft.samples,
    flow === undefined ? '' : JSON.stringify(flow),
  ]).filter((name) => !CALL_VARIABLES.includes(name) && name !== PREVIOUS_SUMMARY && !ofFlow.has(name));
}

/** The variables that its texts may name: its own, those of its flow and of every call, and the summary of the last call. */
export const offeredVariables = (draft: Draft): readonly string[] => [
  ...(draft.type === 'inbound' ? [] : CALL_VARIABLES),
  ...(templateOf(draft)?.flow.variables ?? []).map(({ name }) => name),
  ...ownVariables(draft),
  PREVIOUS_SUMMARY,
];

/** The request that creates the assistant; the variables that its texts use are declared. A writer has no hours to call in. */
export const toRequest = (draft: Draft): Input<'createAgent'> => ({
  agent_name: draft.name,
  agent_type: draft.type,
  primary_language: draft.language,
  ...(draft.secondLanguage === '' ? {} : { secondary_language: draft.secondLanguage }),
  voice_id: draft.voiceId,
  intro_message: draft.opening,
  introduction_and_objective: draft.objective,
  response_guidelines: draft.guidelines,
  task: draft.task,
  ...(draft.faq === '' ? {} : { faq: draft.faq }),
  ...(draft.samples === '' ? {} : { sample_conversations: draft.samples }),
  custom_variables: [...ownVariables(draft)],
  ...(isWriter(draft)
    ? {}
    : {
        call_config: {
          call_time: {
            call_start_time: draft.start,
            call_end_time: draft.end,
            timezone: draft.zone.trim(),
            use_callee_timezone: draft.isByCallee,
          },
        },
      }),
});
