import type { VersionConfig } from '../../store/json/agent-version.ts';
import { postCallPayload, type PostCallPayload } from '../../store/json/tools.ts';
import type { Seal } from '../../shared/seal.ts';
import { findChat } from '../../store/chats/chats.ts';
import { messagesAfter } from '../../store/chats/messages.ts';
import { appendChatTools } from '../../store/chats/turns.ts';
import type { Db, Tx } from '../../store/database.ts';
import { findCall } from '../../store/calls/history.ts';
import { findRecord, appendToolLog } from '../../store/calls/records.ts';
import { insertJob } from '../../store/jobs.ts';
import { runApiTool, type ToolFetcher, type ToolOutcome } from './run-api-tool.ts';
import type { ToolLogEntry } from '../../voice/conversation.ts';
import { secondsOf } from './tool-specs.ts';
import { postCallVariables } from '../../wire/tools/variables.ts';
import { TOOL_SECONDS } from './tool-types.ts';

export const POST_CALL_JOB = 'post_call_tool';

/** Queues one job per post-call tool of an ended call or chat, so that a retry of one tool does not repeat another. */
export async function queuePostCall(
  tx: Tx,
  call: { readonly workspaceId: string; readonly id: string; readonly versionConfig: VersionConfig },
  at: Date,
): Promise<void> {
  const config = call.versionConfig as Partial<VersionConfig>;
  for (const [index, tool] of (config.postCallTools ?? []).entries()) {
    const job = {
      workspaceId: call.workspaceId,
      kind: POST_CALL_JOB,
      dedup: `${call.id}:${index}`,
      payload: postCallPayload.write({ callId: call.id, tool }),
    };
    await insertJob(tx, job, at);
  }
}

export interface PostCallJob extends PostCallPayload {
  readonly id: string;
  readonly workspaceId: string;
}
/** `again`: a retry may succeed. */
export type PostCallEnd = { readonly again: boolean; readonly outcome: ToolOutcome };

/** Sends one tool's request; returns null if the call was deleted in the meantime. */
export async function runPostCall(
  deps: { readonly db: Db; readonly fetcher: ToolFetcher; readonly seal: Seal },
  job: PostCallJob,
): Promise<PostCallEnd | null> {
  const variables = await variablesOf(deps.db, job);
  if (variables === null) return null;
  const outcome = await runApiTool(deps, job.tool, {
    workspaceId: job.workspaceId,
    variables,
    args: {},
    timeoutMs: secondsOf(job.tool, TOOL_SECONDS.postCall.preset) * 1000,
    // Lets the receiver detect a duplicate (at-least-once delivery).
    headers: { 'idempotency-key': job.id },
  });
  return { again: !outcome.ok && !isRefusal(outcome.result), outcome };
}

/** A refused address, or a 4xx, which a retry cannot change. */
function isRefusal(result: unknown): boolean {
  const { status, error } = (result ?? {}) as { status?: unknown; error?: unknown };
  if (error === 'blocked') return true;
  return typeof status === 'number' && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** Appends the outcome to the tool log of the call or chat. */
export async function logPostCall(
  db: Db,
  job: PostCallJob,
  outcome: ToolOutcome,
  times: { readonly at: number; readonly ms: number },
): Promise<void> {
  const entry: ToolLogEntry = { name: job.tool.name, args: {}, ...times, phase: 'post_call', ...outcome };
  if (await appendChatTools(db, { workspaceId: job.workspaceId, id: job.callId }, [entry])) return;
  await appendToolLog(db, job.workspaceId, job.callId, [entry], new Date(times.at));
}

const MAX_TRANSCRIPT_CHARS = 60_000;
const MOST_LINES = 2_000;

async function variablesOf(db: Db, job: PostCallJob): Promise<Record<string, string> | null> {
  const call = await findCall(db, job.workspaceId, job.callId);
  if (call === undefined) return variablesOfChat(db, job);
  const record = await findRecord(db, job.workspaceId, call.id);
  const lines = record?.transcript ?? [];
  const log = record?.toolLog ?? [];
  const learnt = log.flatMap((entry) => Object.entries(entry.variables ?? {}));
  const facts = {
    callId: call.id,
    direction: call.callType,
    from: call.fromNumber,
    to: call.toNumber,
    agentId: call.agentId,
    agentName: call.agentName ?? '',
  };
  return postCallVariables(
    { name: call.calleeName, args: call.args, learnt: Object.fromEntries(learnt), facts },
    {
      status: call.status,
      subStatus: call.subStatus,
      durationMs: call.durationMs ?? 0,
      answeredAt: call.answeredAt,
      endedAt: call.endedAt,
      hangupBy: call.hangupBy ?? '',
      transcript: lines
        .map(({ role, text }) => `${role === 'agent' ? 'bot' : 'user'}: ${text}`)
        .join('\n')
        .slice(0, MAX_TRANSCRIPT_CHARS),
      callbackAt: callbackAt(log),
    },
  );
}

/** The same names for a chat; null: it was deleted. */
async function variablesOfChat(db: Db, job: PostCallJob): Promise<Record<string, string> | null> {
  const chat = await findChat(db, job.workspaceId, job.callId);
  if (chat === null) return null;
  const lines = await messagesAfter(db, chat, 0, MOST_LINES);
  const learnt = (chat.talk['variables'] ?? {}) as Record<string, string>;
  const facts = {
    callId: chat.id,
    direction: 'inbound' as const,
    from: chat.customerNumber ?? '',
    to: '',
    agentId: chat.agentId,
    agentName: chat.agentName,
  };
  const endedAt = chat.endedAt ?? chat.createdAt;
  return postCallVariables(
    { name: chat.customerName, args: chat.args, learnt, facts },
    {
      status: 'completed',
      subStatus: chat.endReason ?? '',
      durationMs: endedAt.getTime() - chat.createdAt.getTime(),
      answeredAt: chat.createdAt,
      endedAt,
      hangupBy: '',
      transcript: lines
        .map(
          ({ role, text }) =>
            `${role === 'customer' ? 'user' : role === 'agent' ? 'bot' : 'person'}: ${text}`,
        )
        .join('\n')
        .slice(0, MAX_TRANSCRIPT_CHARS),
      callbackAt: '',
    },
  );
}

function callbackAt(log: readonly ToolLogEntry[]): string {
  const last = log.findLast((entry) => entry.name === 'schedule_callback' && entry.ok === true);
  const at = (last?.result as { at?: unknown } | undefined)?.at;
  return typeof at === 'string' ? at : '';
}
