/** Kinds of commercial calls, as India's rules name them (TCCCPR 2018). */
export const CALL_PURPOSES = ['transactional', 'service', 'promotional'] as const;
export type CallPurpose = (typeof CALL_PURPOSES)[number];
