import { flowPath } from '../../domain/calls/flow-path.ts';
import type { ReplayedCall } from '../../domain/calls/replay.ts';

/** The body of GET /calling/replay; `withLog` adds the event log. */
export function toReplay(replayed: ReplayedCall, withLog: boolean) {
  const { callId, events, cutMs, difference, timeLine, log } = replayed;
  return {
    call_id: callId,
    events,
    cut_after_seconds: cutMs === null ? null : cutMs / 1000,
    decides_the_same: difference === null,
    first_difference:
      difference === null
        ? null
        : {
            seconds: difference.ms / 1000,
            event: difference.event,
            call: [...difference.call],
            replay: [...difference.replay],
          },
    time_line: timeLine.map(({ ms, source, text }) => ({ seconds: ms / 1000, source, text })),
    flow_steps: flowPath(log).map(({ ms, ...move }) => ({ seconds: ms / 1000, ...move })),
    ...(withLog ? { log } : {}),
  };
}
