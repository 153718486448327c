import type { Input } from '../../api/client.ts';

export const STATES = { open: 'Ongoing', with_person: 'With a person', closed: 'Ended' } as const;
export const CHANNELS = { whatsapp: 'WhatsApp', web: 'Web page', test: 'Test' } as const;
export const PAGE_SIZE = 50;

/** The filters of the chats list, as they stand in the address. */
export interface ChatFilters {
  state?: keyof typeof STATES;
  channel?: 'whatsapp' | 'web';
  agent?: string;
  number?: string;
  page?: number;
}

/** Reads the filters of an address; what is no filter is left out. */
export function chatFilters(search: Record<string, unknown>): ChatFilters {
  const { state, channel, agent, number } = search;
  const page = Number(search['page']);
  return {
    ...(typeof state === 'string' && Object.hasOwn(STATES, state)
      ? { state: state as keyof typeof STATES }
      : {}),
    ...(channel === 'whatsapp' || channel === 'web' ? { channel } : {}),
    ...(typeof agent === 'string' && agent !== '' ? { agent } : {}),
    // An address may hold the digits as a number.
    ...((typeof number === 'string' && number !== '') || typeof number === 'number'
      ? { number: String(number) }
      : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}

export function toRequest({ state, channel, agent, number, page = 1 }: ChatFilters): Input<'listChats'> {
  return {
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
    ...(state === undefined ? {} : { state }),
    ...(channel === undefined ? {} : { channel }),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(number === undefined ? {} : { customer_number: number }),
  };
}
