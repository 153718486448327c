import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { call, type ApiFailure } from '../../api/client.ts';
import { notify } from '../../ui/toasts.ts';
import type { PhoneNumber } from './types.ts';
import { t } from '../../words/words.ts';

interface Choice {
  readonly number: PhoneNumber;
  /** Null: no assistant answers. */
  readonly agentId: string | null;
}

/** Detaches the present assistant of a number, then attaches the new one. */
async function route(number_id: string, from: string | null, to: string | null): Promise<void> {
  if (from !== null)
    await call('editAgent', { operation: 'remove_inbound_number', agent_id: from, number_id });
  if (to !== null) await call('editAgent', { operation: 'attach_inbound_number', agent_id: to, number_id });
}

/** Routes the calls of a number to another assistant, or to none. */
export function useChooseAgent(): UseMutationResult<void, ApiFailure, Choice> {
  const client = useQueryClient();
  const readAgain = (): Promise<void> =>
    client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey.includes('listNumbers') || queryKey.includes('listAgents'),
    });
  return useMutation<void, ApiFailure, Choice>({
    mutationFn: ({ number, agentId }) => route(number.id, number.agent?.id ?? null, agentId),
    onSuccess: (_, { number, agentId }) =>
      notify({
        text:
          agentId === null
            ? t('No assistant answers {number} now.', { number: number.number })
            : t('Another assistant answers {number} now.', { number: number.number }),
        about: number.id,
        undo: () => route(number.id, agentId, number.agent?.id ?? null).finally(() => void readAgain()),
      }),
    // Also after a failure: the first of the two changes may have been made.
    onSettled: readAgain,
  });
}
