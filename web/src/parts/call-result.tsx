import type { ReactNode } from 'react';
import { CallStatus } from './call-status.tsx';
import { Badge } from '../ui/page.tsx';
import { resultName } from './result-name.ts';

interface Ended {
  readonly result: string | null;
  readonly result_source: 'goal' | 'label' | 'ending' | null;
  readonly call_status: string;
  readonly call_sub_status: string;
}

/** What came of a call: its result once it has ended, its state until then; `isAlone`: without the reason of the state. */
export function CallResult({ call, isAlone = false }: { call: Ended; isAlone?: boolean }): ReactNode {
  const { result, result_source: source, call_status: status } = call;
  if (result === null)
    return <CallStatus status={status} subStatus={call.call_sub_status} isAlone={isAlone} />;
  const tone = source === 'ending' ? (status === 'error' ? 'bad' : 'neutral') : 'accent';
  return <Badge tone={tone}>{resultName(result, source)}</Badge>;
}
