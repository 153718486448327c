import type { ConversationRecord } from './conversation-record.ts';
import type { FailureWatch } from './failure-watch.ts';
import type { ReplySources } from './reply-sources.ts';
import type { ReplyMeter } from './running-replies.ts';
import type { SessionDeps } from './session-deps.ts';
import type { TurnMeasures } from './turn-measures.ts';

/** Passes what the replies of a call report on to its measures, sources, record and failure. */
export const replyMeter = (
  {
    providers: { llm },
    scheduler,
    onMayHandTo,
  }: Pick<SessionDeps, 'providers' | 'scheduler' | 'onMayHandTo'>,
  measures: TurnMeasures,
  sources: ReplySources,
  record: ConversationRecord,
  failure: FailureWatch,
): ReplyMeter => ({
  answered: (replyId, use) => measures.answered(replyId, use),
  repliedBy(replyId, by) {
    const replier = by ?? { vendor: llm.name, model: llm.model ?? null, isFirst: true };
    sources.repliedBy(replyId, replier);
    measures.repliedBy(replyId, replier);
  },
  spoken: (replyId, characters, by) => measures.spoken(replyId, characters, by),
  sounded: (replyId, ms) => measures.sounded(replyId, ms),
  vendor: (part, news) => record.vendor(part, news, scheduler.now()),
  mayHandTo: (agentIds) => onMayHandTo?.(agentIds),
  failed: (part, message) => failure.failed(part, message),
});
