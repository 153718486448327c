import type { NodeFigures } from '../shared/node-figures.ts';
import { VERSION } from '../shared/version.ts';
import type { CallWorkers } from '../workers/call-workers.ts';

/** Each call worker counts pairs of ports: one for audio, one for its control. */
const PORTS_OF_PAIR = 2;

/** What this process carries, for its row among the nodes. */
export const nodeFigures = (
  rtpPorts: NodeFigures['rtpPorts'],
  liveCalls: number,
  workers: Pick<CallWorkers, 'health' | 'freeCapacity'>,
  recordingsDisk: string | null,
  reached: Required<Pick<NodeFigures, 'address' | 'mediaUrl' | 'audioSocket'>>,
): NodeFigures => ({
  version: VERSION,
  liveCalls,
  freeCalls: workers.freeCapacity(),
  rtpPorts,
  rtpPortsInUse: workers.health().reduce((sum, { load }) => sum + load.rtpPortsInUse * PORTS_OF_PAIR, 0),
  recordingsDisk,
  ...reached,
});
