/** The rules for addresses that users enter (net/address-guard). */
export interface AddressRules {
  /** Why an address that gets a key is refused, as the rule that a field must follow; null: it may be tried. */
  refusal(url: string): string | null;
  /** The rule that a URL breaks whose host is an inner address, or a name of this machine; null: it breaks none. */
  innerRule(url: string): string | null;
}
