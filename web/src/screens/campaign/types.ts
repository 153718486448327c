import type { Answer } from '../../api/client.ts';

export type Campaign = Answer<'getCampaign'>['campaign'];
/** The numbers that a start would call from. */
export interface Callers {
  readonly numbers: readonly { readonly id: string; readonly number: string }[];
  readonly pool: { readonly id: string; readonly name: string } | null;
}
