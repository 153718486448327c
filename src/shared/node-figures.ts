/** What a process that carries calls writes about itself with each heartbeat. */
export interface NodeFigures {
  readonly version: string;
  readonly liveCalls: number;
  /** Calls that it can still take. */
  readonly freeCalls: number;
  /** The range of RTP ports; null: any free ports. */
  readonly rtpPorts: { readonly first: number; readonly last: number } | null;
  readonly rtpPortsInUse: number;
  /** The name of the disk that holds its recordings; null: an object store holds them. Absent: an earlier version. */
  readonly recordingsDisk?: string | null;
  /** Where other processes reach its API; null: it has none. Absent: an earlier version. */
  readonly address?: string | null;
  /** MEDIA_URL, where carriers reach this process alone; null: it has none. Absent: an earlier version. */
  readonly mediaUrl?: string | null;
  /** Where Asterisk reaches its AudioSocket port; null: it has none. Absent: an earlier version. */
  readonly audioSocket?: string | null;
}
