import {
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useWorkspaceId } from '../session/workspace.ts';
import { notify, type Message } from '../ui/toasts.ts';
import { ApiFailure, call, type Answer, type Input, type OperationName } from './client.ts';

const STALE_MS = 5_000;

/** A request that the service refused will be refused again; only failures of the service are retried, once. */
const isWorthRetrying = (count: number, error: unknown): boolean =>
  count < 1 && (!(error instanceof ApiFailure) || error.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: STALE_MS, retry: isWorthRetrying, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

interface Options {
  readonly enabled?: boolean;
  /** Milliseconds between reads; at least 5 s. */
  readonly every?: number | false;
  /** Keeps the previous answer on the screen while another input loads. */
  readonly keep?: boolean;
}

/** Reads an operation, by workspace. */
export function useRead<O extends OperationName>(
  name: O,
  input: Input<O>,
  options: Options = {},
): UseQueryResult<Answer<O>, ApiFailure> {
  const workspace = useWorkspaceId();
  return useQuery<Answer<O>, ApiFailure>({
    queryKey: [workspace, name, input],
    queryFn: ({ signal }) => call(name, input, signal),
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
    ...(options.keep === true ? { placeholderData: (previous: unknown) => previous as never } : {}),
  });
}

/** Sends a change, reads again what `affects` names, and says by a toast what was `done`. */
export function useChange<O extends OperationName>(
  name: O,
  affects: readonly OperationName[] = [],
  done?: (input: Input<O>, answer: Answer<O>) => string | Message | undefined,
): UseMutationResult<Answer<O>, ApiFailure, Input<O>> {
  const client = useQueryClient();
  const readAgain = (): Promise<void> =>
    client.invalidateQueries({
      predicate: ({ queryKey }) => affects.some((affected) => queryKey.includes(affected)),
    });
  return useMutation<Answer<O>, ApiFailure, Input<O>>({
    mutationFn: (input) => call(name, input),
    onSuccess: (answer, input) => {
      const what = done?.(input, answer);
      const message: Message | undefined = typeof what === 'string' ? { text: what } : what;
      if (message !== undefined) {
        const { undo } = message;
        notify({ ...message, undo: undo && (() => undo().finally(() => void readAgain())) });
      }
      return readAgain();
    },
  });
}
