/** What `npm audit --json` found. */
export type AdvisoryReport =
  /** The registry gave no answer that can be read: there is no network, or it keeps no advisories. */
  | { readonly known: false; readonly reason: string }
  | {
      readonly known: true;
      /** High and critical advisories, which fail the check: `package: title (address)`. */
      readonly serious: readonly string[];
      /** How many others there are. */
      readonly others: number;
    };

interface Advisory {
  readonly title?: string;
  readonly url?: string;
  readonly severity?: string;
}
interface Audit {
  readonly auditReportVersion?: number;
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly via: readonly (string | Advisory)[] }>
  >;
  readonly message?: string;
  readonly error?: { readonly code?: string | null; readonly summary?: string };
}

const SERIOUS = new Set(['high', 'critical']);

/** Reads the answer of `npm audit --json`. Packages that are affected only by another one are not counted. */
export function readAdvisories(text: string): AdvisoryReport {
  const audit = parsed(text);
  if (audit === null) return { known: false, reason: 'npm printed no JSON' };
  if (audit.auditReportVersion === undefined || audit.vulnerabilities === undefined) {
    return {
      known: false,
      reason: oneLine(audit.message ?? audit.error?.summary ?? audit.error?.code ?? ''),
    };
  }
  const serious: string[] = [];
  let others = 0;
  for (const [name, { via }] of Object.entries(audit.vulnerabilities)) {
    for (const advisory of via) {
      if (typeof advisory === 'string') continue;
      const { severity = '', title = 'without a title', url = 'no address' } = advisory;
      if (SERIOUS.has(severity)) serious.push(`${name}: ${title} (${url})`);
      else others += 1;
    }
  }
  return { known: true, serious, others };
}

function parsed(text: string): Audit | null {
  try {
    const value = JSON.parse(text) as Audit | null;
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

const oneLine = (text: string): string =>
  text.split('\n', 1)[0]?.trim() === '' ? 'no reason given' : (text.split('\n', 1)[0] ?? '').trim();
