import { guarded } from './formula-guard.ts';

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** One CSV field (RFC 4180), unguarded. */
export const quotedField = (value: string): string =>
  NEEDS_QUOTES.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** One CSV field that no spreadsheet evaluates as a formula. */
export const csvField = (value: string): string => quotedField(guarded(value));

export const csvRow = (values: readonly string[]): string => `${values.map(csvField).join(',')}\r\n`;
