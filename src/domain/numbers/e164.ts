/** `+`, country code, at most 15 digits (ITU-T E.164), so that no carrier reads a suffix or an extension. */
const E164 = /^\+[1-9]\d{6,14}$/;

export const isE164 = (text: string): boolean => E164.test(text);
