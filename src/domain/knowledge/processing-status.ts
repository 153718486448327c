import type { SourceStates } from '../../store/knowledge/sources.ts';

export type ProcessingStatus = 'pending' | 'completed' | 'partial' | 'failed';

/** Pending while a source waits to be read; partial when some failed, failed when all did. */
export function processingStatus({ pending, ready, failed }: SourceStates): ProcessingStatus {
  if (pending > 0) return 'pending';
  if (failed === 0) return 'completed';
  return ready > 0 ? 'partial' : 'failed';
}
