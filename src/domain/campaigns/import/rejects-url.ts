import type { SignedLinks } from '../../links/signed-links.ts';

/** Signed URL of the CSV of refused rows; it needs no API key. */
export const rejectsUrlOf = (links: SignedLinks, workspaceId: string, campaignId: string): string =>
  `${links.publicUrl}/campaign-rejects/${links.issue('rejects', { workspaceId, id: campaignId })}.csv`;
