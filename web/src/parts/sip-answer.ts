/** The answer of a carrier: its reason may begin with the code. */
export function sipAnswer(code: number | null, reason: string | null): string {
  if (code === null) return reason ?? '';
  if (reason === null || reason === '') return String(code);
  return reason.startsWith(String(code)) ? reason : `${code} ${reason}`;
}
