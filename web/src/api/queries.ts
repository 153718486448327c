import {
  onlineManager,
  QueryClient,
  type QueryCacheNotifyEvent,
  useMutation,
  useQueries,
  useQuery,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useWorkspaceId, workspaceId } from '../session/workspace.ts';
import { notify, type Message } from '../ui/toasts.ts';
import { around } from './spread.ts';
import { ApiFailure, call, type Answer, type Input, type OperationName } from './client.ts';

/** Reads of the versions of an assistant, which change with it. */
const READ_WITH: Partial<Record<OperationName, readonly OperationName[]>> = {
  getAgent: ['getDraft', 'getDraftDifference', 'listAgentVersions'],
};

const STALE_MS = 5_000;

/** Milliseconds before a read that the service could not answer is tried again. */
const RETRY_MS = 1_000;
const HEAL_MS = 5_000;
/** Of this page: a time that changed with each render would never pass. */
const OWN_PACE = around(1);

/** The service is at fault, so that the same request may succeed later. */
const isFault = (error: unknown): boolean => !(error instanceof ApiFailure) || error.status >= 500;
const TOO_MANY = 429;
/** A later read may succeed: the answer of before stays on the screen, and the page asks again. */
const mayHeal = (error: unknown): boolean =>
  isFault(error) || (error instanceof ApiFailure && error.status === TOO_MANY);

/**
 * A request that the service refused will be refused again; its faults are retried, once. Without a connection or a
 * session every read waits for them and keeps what it has.
 */
const isWorthRetrying = (count: number, error: unknown): boolean =>
  !onlineManager.isOnline() || (count < 1 && isFault(error));

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      retry: isWorthRetrying,
      retryDelay: () => around(RETRY_MS),
      refetchOnWindowFocus: true,
      refetchOnReconnect: 'always',
    },
    // A change is sent now or refused: one that waited would surprise its author later.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Events of the cache after which other reads may be on the screen, or show another answer. */
const CHANGES_ANSWERS: ReadonlySet<QueryCacheNotifyEvent['type']> = new Set([
  'updated',
  'removed',
  'observerAdded',
  'observerRemoved',
]);

/** Reads on the screen that show an older answer because the service fails to answer them now. */
export function useOldAnswers(): number {
  const cache = queryClient.getQueryCache();
  return useSyncExternalStore(
    // Of other events, such as that of each render, the answers are the same.
    (listener) => cache.subscribe(({ type }) => CHANGES_ANSWERS.has(type) && listener()),
    () =>
      cache.findAll({
        type: 'active',
        predicate: ({ state }) =>
          state.status === 'error' && state.data !== undefined && mayHeal(state.error),
      }).length,
  );
}

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
  return withOldAnswer(useQuery<Answer<O>, ApiFailure>(queryOf(workspace, name, input, options)));
}

/** Reads an operation with several inputs, in their order. */
export function useReads<O extends OperationName>(
  name: O,
  inputs: readonly Input<O>[],
): readonly UseQueryResult<Answer<O>, ApiFailure>[] {
  const workspace = useWorkspaceId();
  const queries = inputs.map((input) => queryOf(workspace, name, input, {}));
  return useQueries({ queries }).map((result) =>
    withOldAnswer(result as UseQueryResult<Answer<O>, ApiFailure>),
  );
}

const queryOf = <O extends OperationName>(
  workspace: string | null,
  name: O,
  input: Input<O>,
  options: Options,
): UseQueryOptions<Answer<O>, ApiFailure> => ({
  queryKey: [workspace, name, input],
  queryFn: ({ signal }) => call(name, input, signal),
  enabled: options.enabled ?? true,
  refetchInterval: ({ state }) => {
    const every = state.status === 'error' && mayHeal(state.error) ? HEAL_MS : (options.every ?? false);
    return every === false ? false : every * OWN_PACE;
  },
  ...(options.keep === true ? { placeholderData: (previous: unknown) => previous as never } : {}),
});

/** The answer of before, while the service fails to answer now: the bar of the shell says that it is old. */
function withOldAnswer<T>(result: UseQueryResult<T, ApiFailure>): UseQueryResult<T, ApiFailure> {
  return result.isError && result.data !== undefined && mayHeal(result.error)
    ? ({
        ...result,
        error: null,
        isError: false,
        isRefetchError: false,
        status: 'success',
      } as unknown as UseQueryResult<T, ApiFailure>)
    : result;
}

/** Puts an answer in place of a read, as if it had been read now. */
export const putAnswer = <O extends OperationName>(name: O, input: Input<O>, answer: Answer<O>): void =>
  void queryClient.setQueryData([workspaceId(), name, input], answer);

/** The newest answer of a read, which every reader on the page gets, too. Throws ApiFailure. */
export const readNow = <O extends OperationName>(name: O, input: Input<O>): Promise<Answer<O>> =>
  queryClient.fetchQuery({
    queryKey: [workspaceId(), name, input],
    queryFn: ({ signal }) => call(name, input, signal),
    retry: false,
    staleTime: 0,
  });

/** Reads again what `affects` names, and what changes with it. */
export function readAgain(affects: readonly OperationName[]): Promise<void> {
  const changed = affects.flatMap((affected) => [affected, ...(READ_WITH[affected] ?? [])]);
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => changed.some((affected) => queryKey.includes(affected)),
  });
}

/** Sends a change, reads again what `affects` names, and says by a toast what was `done`. */
export function useChange<O extends OperationName>(
  name: O,
  affects: readonly OperationName[] = [],
  done?: (input: Input<O>, answer: Answer<O>) => string | Message | undefined,
): UseMutationResult<Answer<O>, ApiFailure, Input<O>> {
  return useMutation<Answer<O>, ApiFailure, Input<O>>({
    mutationFn: (input) => call(name, input),
    onSuccess: (answer, input) => {
      const what = done?.(input, answer);
      const message: Message | undefined = typeof what === 'string' ? { text: what } : what;
      if (message !== undefined) {
        const { undo } = message;
        notify({ ...message, undo: undo && (() => undo().finally(() => void readAgain(affects))) });
      }
      return readAgain(affects);
    },
  });
}
