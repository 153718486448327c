import { Type } from 'typebox';
import { AgentCallConfig, VariableNames } from '../call-config-schemas.ts';
import { OnCallTools, PostCallTools, PreCallTools } from '../tool-schemas.ts';
import { ClientAnalysisFields, EvaluationFields } from './analysis-fields.ts';
import {
  DtmfFields,
  NoiseFields,
  PromptFields,
  QueryPhraseFields,
  VadFields,
  VocabFields,
  VoiceFields,
} from './conversation-fields.ts';
import { edit, type Edit } from './edit.ts';
import { FlowFields, HandoffFields } from '../flow-schemas.ts';
import { LlmFields, S2sFields, SttFields } from './model-fields.ts';
import { SubscriptionFields } from './subscription-fields.ts';
import {
  AbTestFields,
  ActivateVersionFields,
  CreateVersionFields,
  KnowledgeBaseChoice,
  NumberChoice,
} from './version-fields.ts';
import { ChatSettingFields, WebSessionFields, WhitelistedDomainFields } from './web-fields.ts';

/** Every operation of PATCH /agent/v1. The reference lists them in this order. */
export const EDITS: readonly Edit[] = [
  edit('editPrompt', PromptFields),
  edit('editCallConfig', Type.Object({ call_config: AgentCallConfig })),
  edit(
    'editAgentDisplayName',
    Type.Object({ agent_display_name: Type.String({ minLength: 1, maxLength: 100 }) }),
  ),
  edit('editIntroMessage', Type.Object({ intro_message: Type.String({ minLength: 1, maxLength: 500 }) })),
  edit('editVoice', VoiceFields),
  edit('editVoiceSpeed', Type.Object({ voice_speed: Type.Number({ minimum: 0.5, maximum: 2 }) })),
  edit('editNoiseSettings', NoiseFields),
  edit('editVocab', VocabFields),
  edit('editQueryPhrases', QueryPhraseFields),
  edit('editVadSettings', VadFields),
  edit('editCustomVars', Type.Object({ custom_variables: VariableNames })),
  edit('editEventSubscriptions', SubscriptionFields),
  edit('attachInboundNumber', NumberChoice),
  edit('removeInboundNumber', NumberChoice),
  edit('attachKb', KnowledgeBaseChoice),
  edit('removeKb', KnowledgeBaseChoice),
  edit('editAgentWhitelistedDomains', WhitelistedDomainFields),
  edit('editWebSessions', WebSessionFields),
  edit('editChatSettings', ChatSettingFields),
  edit('editDtmfSettings', DtmfFields),
  edit('editClientAnalysis', ClientAnalysisFields),
  edit('editEvaluations', EvaluationFields),
  edit('editFlow', FlowFields),
  edit('editHandoffs', HandoffFields),
  edit('createVersion', CreateVersionFields),
  edit('activateVersion', ActivateVersionFields),
  edit('setAbTest', AbTestFields),
  edit('editPreCallTools', Type.Object({ pre_call_tools: PreCallTools })),
  edit('editOnCallTools', Type.Object({ on_call_tools: OnCallTools })),
  edit('editPostCallTools', Type.Object({ post_call_tools: PostCallTools })),
  edit('editLlm', LlmFields),
  edit('editStt', SttFields),
  edit('editS2s', S2sFields),
];
