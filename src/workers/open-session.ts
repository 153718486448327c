import { join } from 'node:path';
import { optOutSense } from '@callwright/language';
import { openNoiseFilter } from '../providers/noise/speex.ts';
import type { Providers } from '../providers/choose/installation.ts';
import { CallSession } from '../session/call-session.ts';
import { Recorder } from '../session/recorder.ts';
import { failureReason } from '../shared/failure-reason.ts';
import type { ServerMessage } from '../telephony/web/messages.ts';
import type { TranscriptLine } from '@callwright/turns';
import type { CallHostDeps } from './call-host.ts';
import type { HostedCall } from './hosted-call.ts';
import type { CallSpec, LiveEvent } from '../session/protocol.ts';

type Deps = Pick<CallHostDeps, 'indexes' | 'scheduler' | 'recordingsDir' | 'space' | 'main'>;

const lineMessage = ({ role, text, by, interrupted }: TranscriptLine): ServerMessage => ({
  type: 'line',
  role,
  text,
  by,
  interrupted,
});

/** Shows the caller their own words as they come. */
const wordsTo =
  (leg: { tell(message: ServerMessage): void }) =>
  (text: string, isFinal: boolean): void =>
    leg.tell({ type: 'words', text, final: isFinal });

/** The conversation of an answered call; sends its events to the main thread. */
export function openSession(
  deps: Deps,
  call: Pick<HostedCall, 'leg' | 'listeners'>,
  spec: CallSpec,
  providers: Providers,
  onEnd: () => void,
): CallSession {
  const { indexes, scheduler, recordingsDir, space, main } = deps;
  const { callId } = spec;
  const { send } = main.of(callId);
  const rate = call.leg.sampleRate;
  const onLive = (event: LiveEvent): void => {
    main.send.live(callId, event);
    if (event.type === 'line' && 'tell' in call.leg) call.leg.tell(lineMessage(event.line));
  };
  const failed = (error: Error): void =>
    onLive({ type: 'notice', code: 'RECORDING_FAILED', message: error.message });
  if (spec.notKept?.recording === true)
    onLive({
      type: 'notice',
      code: 'RECORDING_NOT_KEPT',
      message: 'the recordings of the workspace have reached its quota, recordings_mb',
    });
  const { noiseSuppression } = spec.agent;
  return new CallSession(spec, {
    providers,
    leg: call.leg,
    recorder:
      spec.recordingPath === null
        ? null
        : new Recorder(join(recordingsDir, spec.recordingPath), rate, failed, space),
    mayKeepLog: async () => spec.notKept?.eventLog !== true && (await space.isAvailable()),
    noiseFilter: noiseSuppression === null ? null : openNoiseFilter(rate, noiseSuppression),
    listeners: call.listeners,
    indexes,
    scheduler,
    optOutSense,
    onLive,
    ...('tell' in call.leg ? { onWords: wordsTo(call.leg) } : {}),
    onProgress: (progress) => main.send.progress(callId, progress),
    onOptOut: () => send.onOptOut(),
    onTool: (request) => send.onTool(request),
    onMayHandTo: (agentIds) => send.onMayHandTo(agentIds),
    onBridge: (event) => send.onBridge(event),
    onHangup: (reason) => {
      const isAnnounced = spec.announcement !== undefined && reason === 'FAILED';
      send.onHangup(reason, isAnnounced ? failureReason('RECOGNISERS_IN_USE') : undefined);
      if ('tell' in call.leg) call.leg.tell({ type: 'ended', reason });
      onEnd();
    },
  });
}
