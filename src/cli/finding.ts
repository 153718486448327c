/** Result of one check; `advice` is the operator's way to fix a failure. */
export interface Finding {
  name: string;
  ok: boolean;
  detail: string;
  advice: string | null;
}

export const passed = (name: string, detail: string): Finding => ({ name, ok: true, detail, advice: null });
export const failed = (name: string, detail: string, advice: string): Finding => ({
  name,
  ok: false,
  detail,
  advice,
});
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Prints the findings; returns the exit code, 0 if every check passed. */
export function printFindings(findings: readonly Finding[]): number {
  const width = Math.max(...findings.map((finding) => finding.name.length));
  for (const { name, ok, detail, advice } of findings) {
    console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)}  ${detail}`);
    if (advice !== null) console.log(`${' '.repeat(width + 8)}→ ${advice}`);
  }
  const failures = findings.filter((finding) => !finding.ok).length;
  console.log(failures === 0 ? 'All checks passed.' : `${failures} of ${findings.length} checks failed.`);
  return failures === 0 ? 0 : 1;
}
