import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { call, type ApiFailure } from '../../api/client.ts';
import type { PhoneNumber } from './inbound-agent.tsx';

export interface Choice {
  readonly number: PhoneNumber;
  /** Null: nobody answers. */
  readonly agentId: string | null;
}

/** Routes the calls of a number to another assistant: detaches the present one, then attaches the new one. */
export function useChooseAgent(): UseMutationResult<void, ApiFailure, Choice> {
  const client = useQueryClient();
  return useMutation<void, ApiFailure, Choice>({
    mutationFn: async ({ number, agentId }) => {
      const number_id = number.id;
      if (number.agent !== null) {
        await call('editAgent', {
          operation: 'remove_inbound_number',
          agent_id: number.agent.id,
          number_id,
        });
      }
      if (agentId !== null) {
        await call('editAgent', { operation: 'attach_inbound_number', agent_id: agentId, number_id });
      }
    },
    // Also after a failure: the first of the two changes may have been made.
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey.includes('listNumbers') || queryKey.includes('listAgents'),
      }),
  });
}
