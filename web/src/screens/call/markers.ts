import { ANSWERER_NAMES } from './answerers.ts';
import type { Call } from './types.ts';
import { faultMessage } from '../../parts/vendor-fault.ts';
import { t, within } from '../../words/words.ts';

export interface Marker {
  readonly kind: 'answer' | 'interruption' | 'keys' | 'tool' | 'fault' | 'hang-up' | 'pause';
  /** From the start of the recording. */
  readonly second: number;
  readonly text: string;
}

/** Tones among what the decision about the answer rests on. */
const TONES: Readonly<Record<string, string>> = {
  beep: 'beep',
  fax_tone: 'fax tone',
  special_tones: 'network tones',
  music: 'music',
};

interface RecordedLine {
  readonly user?: unknown;
  readonly interrupted?: unknown;
  readonly by?: unknown;
  readonly audio_offset_ms?: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The second of the recording at a moment, which is the time since the answer; null: before it, or unknown. */
function secondAt(call: Pick<Call, 'answered_at'>, moment: unknown): number | null {
  const ms = typeof moment === 'number' ? moment : typeof moment === 'string' ? Date.parse(moment) : NaN;
  if (call.answered_at === null || Number.isNaN(ms)) return null;
  const second = (ms - Date.parse(call.answered_at)) / 1000;
  return second < 0 ? null : second;
}

function linesOf(json: string | null): RecordedLine[] {
  try {
    const parsed: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isRecord) : [];
  } catch {
    return [];
  }
}

/** What happened in the call beside its words, in the order of time. */
export function markersOf(
  call: Pick<
    Call,
    | 'answered_at'
    | 'ended_at'
    | 'hangup_by'
    | 'transcription_url'
    | 'tool_call_logs'
    | 'vendor_faults'
    | 'recording_pauses'
    | 'answered_by'
  >,
): Marker[] {
  const markers: Marker[] = [];
  const add = (kind: Marker['kind'], second: number | null, text: string): void => {
    if (second !== null) markers.push({ kind, second, text });
  };
  const lines = linesOf(call.transcription_url);
  const secondOf = (line: RecordedLine | undefined): number | null =>
    typeof line?.audio_offset_ms === 'number' ? line.audio_offset_ms / 1000 : null;
  lines.forEach((line, index) => {
    // The person's next line is what cut the assistant's line off.
    if (line.interrupted === true && line.user === undefined) {
      const next = lines.slice(index + 1).find(({ user }) => user !== undefined);
      add('interruption', secondOf(next ?? line), t('The person interrupts'));
    }
    if (line.by === 'keypad') add('keys', secondOf(line), t('Keys: {keys}', { keys: String(line.user) }));
  });
  for (const tool of call.tool_call_logs as readonly unknown[]) {
    if (!isRecord(tool)) continue;
    const failed = tool['ok'] === false || tool['success'] === false;
    const name = tool['name'] ?? tool['tool_name'] ?? 'tool';
    const at = secondAt(call, tool['at'] ?? tool['timestamp']);
    add(
      'tool',
      at,
      t(failed ? 'Tool {name} failed' : 'Tool {name}', { name: typeof name === 'string' ? name : '' }),
    );
  }
  for (const fault of call.vendor_faults) add('fault', secondAt(call, fault.at), faultMessage(fault.message));
  for (const { from_seconds: from } of call.recording_pauses) add('pause', from, t('Not recorded from here'));
  const { answered_by: answer } = call;
  if (answer !== null) {
    const tones = answer.reasons
      .flatMap((reason) => (TONES[reason] === undefined ? [] : [t(TONES[reason])]))
      .join(', ');
    const text = `${t('Answered by: {name}.', { name: within(t(ANSWERER_NAMES[answer.kind])) }).replace(/[.।]$/, '')}${tones === '' ? '' : ` (${tones})`}`;
    add('answer', (answer.revised_ms ?? answer.decided_ms) / 1000, text);
  }
  const by = { caller: t('The person hangs up'), agent: t('The assistant hangs up') };
  const ending = by[call.hangup_by as keyof typeof by] ?? t('The call ends');
  add('hang-up', secondAt(call, call.ended_at), ending);
  return markers.toSorted((a, b) => a.second - b.second);
}
