/** One test, by its file from the project's folder and its full name. `status`: null, it is known but did not run. */
export interface KnownTest {
  readonly file: string;
  readonly name: string;
  readonly status: string | null;
}

/**
 * The proofs that prove nothing. A proof is `file` or `file > part of a test title`. A file that ran proves by its results
 * alone: every test of the title passed. A file of a project that is not in this run has to have the title at least; the
 * run of CI has every project.
 */
export function unproved(
  proofs: readonly string[],
  ran: readonly KnownTest[],
  listed: readonly KnownTest[],
): readonly string[] {
  const inFile = (tests: readonly KnownTest[], file: string): readonly KnownTest[] =>
    tests.filter((test) => test.file === file);
  return proofs.flatMap((proof) => {
    const [file = '', title = ''] = proof.split(' > ');
    const results = inFile(ran, file);
    const named = (results.length > 0 ? results : inFile(listed, file)).filter(({ name }) =>
      name.includes(title),
    );
    if (named.length === 0) return [`${proof}: no test has this title`];
    const failed = named.filter(({ status }) => status !== null && status !== 'passed');
    return failed.map(({ name, status }) => `${proof}: "${name}" is ${String(status)}`);
  });
}

/** What the list of kept statements and the table do not share; a statement leaves neither unnoticed. */
export const differences = (kept: readonly string[], now: readonly string[]): readonly string[] => [
  ...kept.filter((statement) => !now.includes(statement)).map((statement) => `missing: ${statement}`),
  ...now
    .filter((statement) => !kept.includes(statement))
    .map((statement) => `not in kept.json: ${statement}`),
];
