/** What an inner address may be opened to. `llm` stands for the models, voices and recognisers that workspaces choose. */
export const ADDRESS_PURPOSES = ['webhooks', 'knowledge', 'tools', 'llm'] as const;
export type AddressPurpose = (typeof ADDRESS_PURPOSES)[number];

/** What an address is entered for, and by which workspace. */
export interface AddressUse {
  readonly purpose: AddressPurpose;
  readonly workspaceId: string;
}

/** The rules for addresses that users enter (net/address-guard). */
export interface AddressRules {
  /** Why an address that gets a key is refused, as the rule that a field must follow; null: it may be tried. */
  refusal(url: string): string | null;
  /** The rule that a URL breaks whose host is an inner address, or a name of this machine; null: it breaks none. */
  innerRule(url: string, use: AddressUse): string | null;
}
