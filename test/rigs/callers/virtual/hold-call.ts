import type { DtmfDigit } from '@callwright/audio';
import type { EventLog } from '@callwright/turns';
import { createVadProvider } from '../../../../src/providers/vad/provider.ts';
import { ManualClock } from '../../../../src/shared/clock.ts';
import { logOf } from '../../../helpers/sip/replays.ts';
import { answerVirtualCall } from '../../calls/virtual-session.ts';
import { VirtualTime } from '../../calls/virtual-time.ts';
import { INTRO, type Plan } from '../plan.ts';
import type { PhoneCall } from '../score.ts';
import { codedEars, type EarsKind } from './coded-ears.ts';
import { scriptedModel } from './scripted-model.ts';

/** Who hears: a recogniser, and the detector of speech beside it. */
export interface Engines {
  readonly ears: EarsKind;
  readonly vad: 'silero' | 'light';
}

const SPEAKER_MS = 120;
const RATE = 8_000;
const PER_MS = RATE / 1_000;
const IDLE = { idleWarningSeconds: 5, idleEndSeconds: 15 } as const;

/** Holds a call of the caller suite with a whole session in virtual time; the caller hangs up at the end of the plan. */
export async function holdVirtualCall(
  plan: Plan,
  engines: Engines,
): Promise<{ readonly phone: PhoneCall; readonly log: EventLog }> {
  const { script, track, keys, lengthMs } = plan;
  const time = new VirtualTime(new ManualClock());
  const { tool } = script;
  const call = answerVirtualCall({
    time,
    vad: createVadProvider({ engine: engines.vad }),
    recogniser: codedEars(engines.ears, time),
    llm: scriptedModel(script, time),
    tts: { ttsMs: SPEAKER_MS, sound: 'words' },
    agent: {
      language: script.language,
      introMessage: script.intro ?? INTRO,
      firstSpeaker: { mode: 'auto', delayMs: 0, limitMs: 10_000 },
      ...IDLE,
    },
    spec:
      tool === undefined
        ? {}
        : {
            tools: [
              {
                name: tool.name,
                description: 'Looks it up.',
                parameters: { type: 'object', properties: {} },
                kind: 'remote',
              },
            ],
          },
  });
  const sent = new Int16Array(Math.ceil(lengthMs) * PER_MS);
  for (const { atMs, pcm } of track) sent.set(pcm, Math.round(atMs * PER_MS));
  call.person.say(sent);
  for (const { atMs, key } of keys) time.after(atMs, () => call.person.press(key as DtmfDigit));
  let answered = 0;
  const remove = time.onTick(() => {
    for (const { requestId } of call.tools.slice(answered)) {
      answered += 1;
      time.after(tool?.ms ?? 0, () =>
        call.session.toolResult(requestId, { ok: true, result: { note: tool?.answer ?? '' } }),
      );
    }
  });
  await time.advance(lengthMs);
  remove();
  call.session.remoteHangup(time.now());
  const log = logOf(await call.result());
  return { phone: { sent, received: call.person.heard(), receivedLaterMs: 0 }, log };
}
