import type { CallFacts } from '../../../store/calls/facts.ts';
import { appendToolLog, saveRecord } from '../../../store/calls/records.ts';
import { dropTalk, takeTalk } from '../../../store/calls/talk-journal.ts';
import type { Tx } from '../../../store/database.ts';
import { insertRecordingFile, saveRecovered } from '../../../store/recordings/files.ts';
import type { JsonObject } from '../../../store/schema.ts';
import type { ConversationProgress, ConversationResult } from '../../../voice/conversation.ts';
import type { VersionConfig } from '../../agents/agent-version.ts';
import { asJson } from '../../tools/tool-log.ts';
import { recordingPath, type RecordingDisk } from '../recordings.ts';
import type { Ending, Settlement } from './settle.ts';

/** What a settled attempt leaves beside its status: transcript and figures, tool log, recording. */

export type Recording = ConversationResult['recording'];

/** Whether an attempt that ends so may have been answered. */
export const mayHaveTalk = ({ kind }: Ending['end']): boolean =>
  kind === 'answered' || kind === 'crashed' || kind === 'stopped';

/** The conversation of the attempt that ends; null: none. Its talk journal is deleted in the same transaction. */
export async function settledTalk(tx: Tx, call: CallFacts, s: Ending): Promise<ConversationProgress | null> {
  if (!mayHaveTalk(s.end)) return null;
  const attempt = { workspaceId: call.workspaceId, callId: call.id, attempt: call.attempt };
  // A conversation that was cut off has no result; the journal is its only source.
  if (s.result === null) return joinedTalk(await takeTalk(tx, attempt));
  await dropTalk(tx, attempt);
  return s.result;
}

/** Joins the pieces of a talk journal; null without any. */
export function joinedTalk(pieces: readonly string[]): ConversationProgress | null {
  const parts = pieces.map((piece) => JSON.parse(piece) as ConversationProgress);
  const last = parts.at(-1);
  if (last === undefined) return null;
  return {
    transcript: parts.flatMap(({ transcript }) => transcript),
    latencies: parts.flatMap(({ latencies }) => latencies),
    toolLog: parts.flatMap(({ toolLog }) => toolLog),
    interruptions: last.interruptions,
    firstUtteranceMs: last.firstUtteranceMs,
    recordingPauses: last.recordingPauses ?? [],
    turns: [...new Map(parts.flatMap(({ turns = [] }) => turns.map((turn) => [turn.turn, turn]))).values()],
    usage: last.usage ?? [],
    faults: last.faults ?? [],
    answeredBy: last.answeredBy ?? null,
  };
}

/**
 * Stores the talk as the call's record and returns the attempt's tool log. A cut-off attempt without any talk adds its
 * tools to the record of an earlier attempt and leaves the rest of that record alone.
 */
export async function keepTalk(
  tx: Tx,
  call: CallFacts,
  s: Ending,
  talk: ConversationProgress | null,
  at: Date,
): Promise<readonly JsonObject[]> {
  const toolLog = asJson(talk?.toolLog ?? s.toolLog ?? []);
  if (talk === null || (s.result === null && talk.transcript.length === 0)) {
    await appendToolLog(tx, call.workspaceId, call.id, toolLog, at);
    return toolLog;
  }
  const { result } = s;
  const recording = result?.recording ?? null;
  const record = {
    attempt: call.attempt,
    isPartial: result === null,
    transcript: talk.transcript,
    latency: measuredTurns(talk),
    usage: talk.usage ?? [],
    faults: talk.faults ?? [],
    toolLog: talk.toolLog,
    media: result === null || result.media === null ? null : { ...result.media, transfers: result.transfers },
    interruptions: talk.interruptions,
    firstUtteranceMs: talk.firstUtteranceMs,
    answeredBy: talk.answeredBy ?? null,
    recording:
      recording === null
        ? null
        : {
            path: recording.path,
            durationMs: recording.durationMs,
            bytes: recording.bytes,
            state: recordingState(recording),
          },
    recordingPauses: talk.recordingPauses ?? [],
    eventLog: result?.eventLog == null ? null : Buffer.from(result.eventLog, 'base64'),
  };
  await saveRecord(tx, call.workspaceId, call.id, record, at);
  return toolLog;
}

/** The latency of each turn with its measures. */
function measuredTurns({ latencies, turns = [] }: ConversationProgress): readonly object[] {
  const measures = new Map(turns.map((turn) => [turn.turn, turn]));
  return latencies.map((latency) => ({ ...latency, ...measures.get(latency.turn) }));
}

export function recordingState(recording: {
  failed: boolean;
  bytes: number;
}): 'stored' | 'partial' | 'failed' {
  if (!recording.failed) return 'stored';
  return recording.bytes > 0 ? 'partial' : 'failed';
}

/** The recording in the conversation's result; for a cut-off conversation the repaired file on this disk, if any. */
export async function findRecorded(disk: RecordingDisk | undefined, s: Settlement): Promise<Recording> {
  if (s.result !== null) return s.result.recording;
  if (s.end.kind === 'not_answered' || disk === undefined) return null;
  const path = recordingPath(s.workspaceId, s.callId, s.attempt);
  const found = await disk.recover(path);
  return found === null ? null : { path, ...found, failed: true };
}

/** The agent may have its calls not recorded. Versions stored before the setting existed lack it. */
const isRecorded = (config: JsonObject): boolean =>
  (config as unknown as Partial<VersionConfig>).call_config?.recording?.enabled !== false;

/**
 * Inserts the attempt's recording file with its next step: upload, nothing, or repair on whichever disk has the file,
 * because a crashed process may have recorded on a disk that this one cannot read.
 */
export async function keepRecording(
  tx: Tx,
  disk: RecordingDisk | undefined,
  call: Pick<CallFacts, 'workspaceId' | 'id' | 'attempt' | 'versionConfig'>,
  recorded: {
    readonly recording: Recording;
    /** The conversation was cut off: no result of it writes the record. */
    readonly isCutOff: boolean;
    readonly wasAnswered: boolean;
  },
  at: Date,
): Promise<void> {
  const { recording, isCutOff } = recorded;
  const file = { workspaceId: call.workspaceId, callId: call.id, attempt: call.attempt };
  if (recording === null) {
    if (!isCutOff || !recorded.wasAnswered || !isRecorded(call.versionConfig)) return;
    const path = recordingPath(call.workspaceId, call.id, call.attempt);
    return insertRecordingFile(tx, { ...file, path, disk: null, state: 'repair' }, at);
  }
  if (recordingState(recording) === 'failed') return;
  if (isCutOff) {
    await saveRecovered(tx, call.workspaceId, call.id, { ...recording, attempt: call.attempt }, at);
  }
  const state = disk?.hasStore === true ? 'upload' : 'kept';
  await insertRecordingFile(tx, { ...file, path: recording.path, disk: disk?.name ?? null, state }, at);
}
