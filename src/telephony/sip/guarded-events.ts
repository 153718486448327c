import type { Log } from '../../shared/log.ts';
import type { SignallingEvents } from '../leg.ts';

type Inbound = Omit<SignallingEvents, 'onRinging' | 'onSent'>;

/** Events whose faults stay with their owner: a throwing callback is logged and the stack goes on. */
export function guarded(events: SignallingEvents, log: Log): SignallingEvents {
  return {
    ...guardedInbound(events, log),
    onRinging: safely(log, (info) => events.onRinging(info)),
    onSent: () => safely(log, () => events.onSent?.())(null),
  };
}

export const guardedInbound = (events: Inbound, log: Log): Inbound => ({
  onAnswered: safely(log, (info) => events.onAnswered(info)),
  onFailed: safely(log, (info) => events.onFailed(info)),
  onEnded: safely(log, (info) => events.onEnded(info)),
  onDtmf: (digit, at) => safely(log, () => events.onDtmf(digit, at))(null),
  onReoffer(sdp) {
    try {
      return events.onReoffer(sdp);
    } catch (error) {
      log.error({ err: error }, 'Call event handler failed');
      return null;
    }
  },
});

const safely =
  <T>(log: Log, run: (info: T) => void) =>
  (info: T): void => {
    try {
      run(info);
    } catch (error) {
      log.error({ err: error }, 'Call event handler failed');
    }
  };
