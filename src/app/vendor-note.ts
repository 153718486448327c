import type { ReadyCheck } from '../http/server/server-deps.ts';
import { FAULT_WORDS } from '../shared/vendor-fault.ts';
import type { ModelFault } from '../offline/words/ears.ts';
import type { VendorFaultCount } from '../providers/choose/faults.ts';
import type { FailingRecogniser } from '../workers/failing-recognisers.ts';

const PARTS = {
  stt: 'recogniser',
  tts: 'speaker',
  llm: 'language model',
  s2s: 'speech-to-speech model',
} as const;

/**
 * A note in the readiness answer: the last fault of each vendor, in our own words. A vendor that is down never makes the
 * process unready, because calls fall back.
 */
export function vendorNote(faults: readonly VendorFaultCount[]): ReadyCheck {
  const last = new Map<string, VendorFaultCount>();
  for (const fault of faults) {
    const key = `${fault.part} ${fault.vendor}`;
    if ((last.get(key)?.lastAt ?? 0) <= fault.lastAt) last.set(key, fault);
  }
  const notes = [...last.values()].map(({ part, vendor, kind, status, count, lastAt }) => {
    const code = status === null ? '' : ` (status ${status})`;
    const times = count === 1 ? 'once' : `${count} times`;
    return `${PARTS[part]} ${vendor}: ${FAULT_WORDS[kind]}${code}, ${times}, last at ${new Date(lastAt).toISOString()}`;
  });
  return { name: 'vendors', ok: true, ...(notes.length === 0 ? {} : { detail: notes.join('; ') }) };
}

/**
 * A note on recognisers that no call can rely on: the model of this machine that cannot be loaded, and those that failed in
 * each of their last calls. Calls fall back, so they never make the process unready.
 */
export function recogniserNote(
  failing: readonly FailingRecogniser[],
  unloaded: ModelFault | null,
): ReadyCheck {
  const notes = [
    ...(unloaded === null
      ? []
      : [
          `${unloaded.model} cannot be loaded (${unloaded.message}): calls hear phrases; callwright models verify`,
        ]),
    ...failing.map(
      ({ vendor, kind, calls }) =>
        `recogniser ${vendor} failed in each of its last ${calls} calls: ${FAULT_WORDS[kind]}; callwright doctor tries it`,
    ),
  ];
  return { name: 'recognisers', ok: true, ...(notes.length === 0 ? {} : { detail: notes.join('; ') }) };
}
