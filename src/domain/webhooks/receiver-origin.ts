/** The host alone of a receiver's address: the rest may hold a secret, or data of a person that an erasure could not find here. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');
