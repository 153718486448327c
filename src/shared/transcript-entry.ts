/** A line of a call as it is stored: times in epoch ms. */
interface SpokenLine {
  readonly role: 'agent' | 'caller';
  readonly text: string;
  readonly startedAt: number;
  /** The person of the workspace who said the line, or wrote it for the agent to say. */
  readonly author?: string;
}

/** One line of a conversation, in the form that every answer and event shares. */
export interface TranscriptEntry {
  readonly role: 'agent' | 'user' | 'person';
  readonly text: string;
  readonly at: string;
  /** From the start of the recording. */
  readonly offset_ms: number | null;
}

/** The line of a call; `audioStartedAt` is null without a recording of the same attempt. */
export const callEntry = (
  { role, text, startedAt, author }: SpokenLine,
  audioStartedAt: number | null,
): TranscriptEntry => ({
  role: role === 'caller' ? 'user' : author === undefined ? 'agent' : 'person',
  text,
  at: new Date(startedAt).toISOString(),
  offset_ms: audioStartedAt === null ? null : Math.max(0, Math.round(startedAt - audioStartedAt)),
});

/** The author of a line, where members of the workspace may know it. */
export const authorOf = ({ author }: SpokenLine): { readonly author?: string } =>
  author === undefined ? {} : { author };

/** The message of a chat, which has no recording. */
export const chatEntry = <Role extends TranscriptEntry['role']>(role: Role, text: string, sentAt: Date) => ({
  role,
  text,
  at: sentAt.toISOString(),
  offset_ms: null,
});

/** When the audio of the conversation began; null if the recording belongs to another attempt. */
export function audioStartOf(
  record: { readonly attempt: number | null; readonly recordingPath: string | null } | undefined,
  answeredAt: Date | null,
): number | null {
  const recorded = /-(\d+)\.wav$/.exec(record?.recordingPath ?? '')?.[1];
  const isOther = record?.attempt != null && recorded !== undefined && Number(recorded) !== record.attempt;
  return isOther ? null : (answeredAt?.getTime() ?? null);
}
