/** The reaction and its parts, as the service names them. */
export const REACTION_PARTS = [
  { key: 'reaction', name: 'Reply delay' },
  { key: 'endpointing', name: 'End of speech' },
  { key: 'recognition', name: 'Recognition' },
  { key: 'model', name: 'Model' },
  { key: 'voice', name: 'Voice' },
] as const;

export const PERCENTILES = [
  { key: 'p50_ms', name: 'p50' },
  { key: 'p95_ms', name: 'p95' },
  { key: 'p99_ms', name: 'p99' },
] as const;
