import type { ReactNode } from 'react';
import { Badge } from '../ui/page.tsx';

/** The status of an HTTP response. */
export function RequestStatus({ status }: { status: number }): ReactNode {
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'neutral' : 'good';
  return <Badge tone={tone}>{status}</Badge>;
}
