import { coresFor, type CallShares } from './machine-capacity.ts';

/** What so many calls at once need beside the database. */
export interface CapacityPlan {
  readonly cores: number;
  readonly memoryMb: number;
  /** In each direction. */
  readonly megabits: number;
  readonly packetsPerSecond: number;
  readonly udpPorts: number;
  readonly recordingGbPerHour: number;
  /** Processes with the default RTP_PORTS. */
  readonly processes: number;
}

/** Measured by `npm run bench:media`: a process without calls, and what each call adds. */
const PROCESS_MB = 285;
const CALL_MB = 1;
/** G.711 with headers: 50 packets a second in each direction. */
const CALL_KBIT = 90;
const PACKETS = 50;
const RECORDING_MB_PER_HOUR = 115;
/** The 8,000 ports of RTP_PORTS carry half as many calls. */
const CALLS_PER_PROCESS = 4_000;
const PORTS = 2;
const KILO = 1_000;

/** `hearing`: the share of a core that a recogniser of this machine takes while a caller speaks; 0: a vendor hears. */
export function planOf(
  calls: number,
  shares: Pick<CallShares, 'media' | 'voice'>,
  hearing: number,
): CapacityPlan {
  const processes = Math.ceil(calls / CALLS_PER_PROCESS);
  return {
    cores: coresFor(calls, shares, hearing),
    memoryMb: processes * PROCESS_MB + calls * CALL_MB,
    megabits: Math.ceil((calls * CALL_KBIT) / KILO),
    packetsPerSecond: calls * PACKETS,
    udpPorts: calls * PORTS,
    recordingGbPerHour: (calls * RECORDING_MB_PER_HOUR) / KILO,
    processes,
  };
}
