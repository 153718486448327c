/** Outcomes of an attempt that a machine answered: a mailbox, a screening service, a fax or an announcement. */
export const MACHINE_OUTCOMES = ['VOICEMAIL_DETECTED', 'CALL_SCREENED', 'NOT_ABLE_TO_CALL'] as const;

export const isMachineOutcome = (subStatus: string): boolean =>
  (MACHINE_OUTCOMES as readonly string[]).includes(subStatus);
