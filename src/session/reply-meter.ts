import type { LlmProvider } from '../providers/ports/model.ts';
import type { ConversationRecord } from './conversation-record.ts';
import type { FailureWatch } from './failure-watch.ts';
import type { ReplySources } from './reply-sources.ts';
import type { ReplyMeter } from './running-replies.ts';
import type { TurnMeasures } from './turn-measures.ts';

interface Parts {
  readonly llm: Pick<LlmProvider, 'name' | 'model'>;
  readonly measures: TurnMeasures;
  readonly sources: ReplySources;
  readonly record: ConversationRecord;
  readonly failure: FailureWatch;
  readonly now: () => number;
}

/** Passes what the replies of a call report on to its measures, sources, record and failure. */
export const replyMeter = ({ llm, measures, sources, record, failure, now }: Parts): ReplyMeter => ({
  answered: (replyId, use) => measures.answered(replyId, use),
  repliedBy(replyId, by) {
    const replier = by ?? { vendor: llm.name, model: llm.model ?? null, isFirst: true };
    sources.repliedBy(replyId, replier);
    measures.repliedBy(replyId, replier);
  },
  spoken: (replyId, characters, by) => measures.spoken(replyId, characters, by),
  sounded: (replyId, ms) => measures.sounded(replyId, ms),
  vendor: (part, news) => record.vendor(part, news, now()),
  failed: (part, message) => failure.failed(part, message),
});
