import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { ApiFailure } from '../api/client.ts';
import { ErrorNote, Loading } from './page.tsx';

/** Shows the answer of a read: a skeleton while it loads, the failure with a retry, or `children` of the answer. */
export function Loaded<T>({
  read,
  shape,
  children,
}: {
  read: UseQueryResult<T, ApiFailure>;
  /** Of the skeleton. */
  shape?: ComponentProps<typeof Loading>['shape'];
  children: (answer: T) => ReactNode;
}): ReactNode {
  if (read.isPending) return <Loading {...(shape === undefined ? {} : { shape })} />;
  if (read.isError) return <ErrorNote error={read.error} retry={() => void read.refetch()} />;
  return children(read.data);
}
