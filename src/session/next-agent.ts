import { AgentBrains } from '../providers/ports/agent-brains.ts';
import type { TurnEvent } from '@callwright/turns';
import type { BrainContext, LlmProvider, StepLlms } from '../providers/ports/model.ts';
import { goesOnAfterIntro, openBrain } from '../providers/ports/open-brain.ts';
import type { TtsProvider } from '../providers/ports/voice.ts';
import type { ConversationRecord } from './conversation-record.ts';
import type { Hearing } from './hearing.ts';
import type { OptOutWatch } from './opt-out-watch.ts';
import type { ToolAnswer } from './protocol.ts';
import type { SessionDeps } from './session-deps.ts';
import type { RunningReplies } from './running-replies.ts';
import { talkOf } from './settings.ts';
import { inSpokenForms } from './spoken-forms.ts';
import { StepSpeakers } from './step-speakers.ts';
import type { ToolCalls } from './tool-calls.ts';

/** The model and the voice of an agent that takes a call over. */
export interface NextProviders {
  readonly llm: LlmProvider;
  readonly tts: TtsProvider;
  /** Of steps of its flow. */
  readonly stepModels?: StepLlms;
}

interface Parts {
  readonly brains: AgentBrains;
  readonly replies: RunningReplies;
  readonly tools: ToolCalls;
  readonly record: Pick<ConversationRecord, 'handedOver'>;
  readonly hearing: Pick<Hearing, 'follow'>;
  readonly optOut: Pick<OptOutWatch, 'add'>;
}

/** The brains of a call. A summary that a model writes for a handover becomes a note of the conversation, and of its event log. */
export function openBrains(
  { providers, scheduler }: Pick<SessionDeps, 'providers' | 'scheduler'>,
  context: BrainContext,
  dispatch: (event: TurnEvent) => void,
): AgentBrains {
  const now = (): number => scheduler.now();
  return new AgentBrains(openBrain(providers.llm, context, now, providers.stepModels), (text) =>
    dispatch({ type: 'note', text, at: now() }),
  );
}

/** The agent of a handover joins the call with its brain, voice and tools; the recogniser follows its languages. */
export function joinCall(
  { next }: ToolAnswer,
  made: NextProviders | null,
  {
    providers,
    leg,
    scheduler,
    optOutSense,
  }: Pick<SessionDeps, 'providers' | 'leg' | 'scheduler' | 'optOutSense'>,
  { brains, replies, tools, record, hearing, optOut }: Parts,
): void {
  if (next === undefined || made === null) return;
  const { id, spec, again } = next;
  const { llm, tts, stepModels } = made;
  const { agent } = spec;
  const { context, voice } = talkOf(spec, providers.stt, leg.sampleRate);
  if (again === undefined) {
    brains.add(id, {
      session: openBrain(llm, context, () => scheduler.now(), stepModels),
      introMessage: context.introMessage,
      goesOn: goesOnAfterIntro(context),
      by: { vendor: llm.name, model: llm.model ?? null, isFirst: true, agent: { id, name: agent.name } },
    });
    replies.add(id, {
      tts: inSpokenForms(tts.open(voice), agent),
      steps: new StepSpeakers(tts, agent, voice),
    });
  } else replies.returnTo(again === 'first' ? null : id);
  tools.replace(context.tools);
  const at = scheduler.now();
  record.handedOver({ ...agent, id }, at);
  if (!hearing.follow(agent, at)) return;
  optOut.add(optOutSense(context));
  const { language, secondaryLanguage: secondary } = agent;
  tools.inLanguages(language, secondary);
}
