import type { Input } from '../../api/client.ts';
import type { AGENT_LANGUAGES } from '../../../../src/shared/agent-languages.ts';
import { readerZone } from '../../parts/time-zones.ts';
import { CALL_VARIABLES, variablesIn } from '../../parts/prompt-variables.ts';

export type AgentLanguage = (typeof AGENT_LANGUAGES)[number];
type AgentType = NonNullable<Input<'createAgent'>['agent_type']>;

/** A new assistant as typed so far. */
export interface Draft {
  readonly name: string;
  readonly type: AgentType;
  readonly language: AgentLanguage;
  readonly secondLanguage: AgentLanguage | '';
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

/** The variables that the draft's texts use beside those of every call. */
export const ownVariables = (draft: Draft): readonly string[] =>
  variablesIn([
    draft.opening,
    draft.objective,
    draft.guidelines,
    draft.task,
    draft.faq,
    draft.samples,
  ]).filter((name) => !CALL_VARIABLES.includes(name));

/** The request that creates the assistant; the variables that its texts use are declared. */
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
  call_config: {
    call_time: {
      call_start_time: draft.start,
      call_end_time: draft.end,
      timezone: draft.zone.trim(),
      use_callee_timezone: draft.isByCallee,
    },
  },
});
