export const STATES = ['pending', 'delivered', 'failed'] as const;

/** What the address of the delivery log says. */
export interface DeliveryFilters {
  readonly state?: (typeof STATES)[number];
  readonly page?: number;
}

/** Reads the filters; unknown values are left out. */
export function deliveryFilters(search: Record<string, unknown>): DeliveryFilters {
  const state = STATES.find((each) => each === search['state']);
  const { page } = search;
  return {
    ...(state === undefined ? {} : { state }),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
