import { platformDocument } from '../../store/json/analysis.ts';
import { DEFAULT_CALL_TIME } from '../call-windows/call-time.ts';
import type { Clock } from '../../shared/clock.ts';
import { isLanguage, isValidZone } from '@callwright/language';
import { findAgent } from '../../store/agents/agents.ts';
import { chatVersionConfig, findChat, lockChat } from '../../store/chats/chats.ts';
import { saveChatAnalyses } from '../../store/chats/reading.ts';
import type { Db } from '../../store/database.ts';
import type { AnalysedConversation } from './analysis.ts';
import { toEvents, type Analyses } from './finish-analysis.ts';
import { processedKeys, type ChatEventType } from '../../wire/events/chat.ts';
import { clientKeys, platformKeys } from '../../wire/events/conversation.ts';
import { appendChatEvent, endedBy } from '../chats/chat-events.ts';
import { eventChat, transcriptOf } from '../chats/end-chat.ts';

/** A chat to analyse; null for one without a customer's message, or whose processing has ended. */
export async function readChatToAnalyse(
  db: Db,
  workspaceId: string,
  chatId: string,
): Promise<AnalysedConversation | null> {
  const chat = await findChat(db, workspaceId, chatId);
  if (chat?.state !== 'closed' || chat.processedAt !== null) return null;
  const messages = await transcriptOf(db, chat);
  if (!messages.some(({ role }) => role === 'customer')) return null;
  const config = await chatVersionConfig(db, chat);
  const zone = config.callConfig.callTime.timezone;
  const agent = await findAgent(db, workspaceId, chat.agentId);
  const input = {
    language: isLanguage(config.language) ? config.language : ('en-US' as const),
    timeZone: isValidZone(zone) ? zone : DEFAULT_CALL_TIME.timezone,
    endedAt: chat.endedAt?.getTime() ?? 0,
    subStatus: chat.endReason ?? '',
    hangupBy: endedBy(chat),
    agentName: chat.agentName,
    prompt: config.agentConfig.agentPrompt,
    transcript: messages.map(({ role, text }) => ({
      role: role === 'customer' ? ('caller' as const) : ('agent' as const),
      text,
    })),
    tools: chat.toolLog.map((tool) => ({
      name: typeof tool['name'] === 'string' ? tool['name'] : '',
      args: tool['args'] ?? {},
    })),
    labels: agent?.classificationLabels ?? [],
    client: config.clientAnalysis ?? null,
    evaluations: config.evaluations ?? [],
  };
  return { byStranger: chat.channel !== 'test', input, config };
}

/**
 * Stores a chat's analyses and appends their events and `all_processing_completed` in one transaction. Idempotent.
 */
export async function finishChatAnalysis(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  chatId: string,
  analyses: Analyses | null,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const chat = await lockChat(tx, workspaceId, chatId);
    if (chat === null || chat.state !== 'closed') return;
    const at = new Date(deps.clock.now());
    const kept = chat.erasedAt === null ? analyses : null;
    const platform = kept?.platform ?? null;
    const client = kept?.client ?? null;
    const judged = kept?.evaluations ?? null;
    if (!(await saveChatAnalyses(tx, chat, { platform, client, evaluations: judged }, at))) return;
    const evaluations = toEvents(judged);
    const shown = platformDocument.write(platform);
    const of = await eventChat(tx, chat);
    const append = (type: ChatEventType, more: Record<string, unknown>): Promise<boolean> =>
      appendChatEvent(tx, of, type, more, at);
    if (kept?.isMade === true) {
      await append('platform_analysis_completed', platformKeys(shown, evaluations));
      if (client !== null) await append('client_analysis_completed', clientKeys(client, kept.analyst));
    }
    const keys = processedKeys(chat, await transcriptOf(tx, chat), endedBy(chat), {
      platform: shown,
      client,
      evaluations,
    });
    await append('all_processing_completed', keys);
  });
}
