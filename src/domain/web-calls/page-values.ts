import { createHmac, timingSafeEqual } from 'node:crypto';
import { errors } from '../../errors.ts';
import { FACTS, PREVIOUS_SUMMARY } from '../agents/agent-variables.ts';
import { readSigned } from '../../wire/page-values.ts';
import type { Warning } from '../warnings.ts';
import { signingKey } from '../webhooks/signature.ts';
import { signingSecrets, type SigningDeps } from '../webhooks/signing-secrets.ts';

type Values = Readonly<Record<string, string>>;

/** What a page sends: its own values, and those that the workspace's server signed. */
export interface PageValues {
  readonly args: Values;
  /** Null: none. */
  readonly signed: string | null;
}

/** Variables that name a person or a fact of the call: a page cannot know them, and only the workspace's server may set them. */
const RESERVED: ReadonlySet<string> = new Set(['mobile_number', PREVIOUS_SUMMARY, ...FACTS]);

/** The values that a page may set by itself, and warnings about those that it may not. Pure. */
export function ownValues(args: Values): { readonly values: Values; readonly warnings: readonly Warning[] } {
  const kept = Object.entries(args).filter(([name]) => !RESERVED.has(name));
  const warnings = Object.keys(args)
    .filter((name) => RESERVED.has(name))
    .map((name): Warning => {
      const message = 'is ignored: only signed_values, or a session that your server opens, may set it';
      return { code: 'VARIABLE_RESERVED', field: `custom_args_values.${name}`, message };
    });
  return { values: Object.fromEntries(kept), warnings };
}

/** Separates these signatures from those of webhooks, which the same secret makes. */
const PURPOSE = 'callwright.page-values.';
const LONGEST_MS = 86_400_000;

/** The values that the workspace's server signed for an agent. Throws 422 for a token that is forged, foreign or expired. */
export async function signedValues(
  deps: SigningDeps,
  { workspaceId, agentId }: { readonly workspaceId: string; readonly agentId: string },
  token: string | null,
): Promise<Values> {
  if (token === null) return {};
  const [payload = '', signature = '', ...rest] = token.split('.');
  const secrets = (await signingSecrets(deps, [workspaceId])).get(workspaceId) ?? [];
  const isSigned = secrets.some(({ secret }) => {
    const expected = createHmac('sha256', signingKey(secret))
      .update(PURPOSE + payload)
      .digest();
    const sent = Buffer.from(signature, 'base64url');
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  if (!isSigned || rest.length > 0)
    throw errors.invalid('signed_values', 'has no valid signature of this workspace');
  const said = readSigned(payload);
  if (said === null || said.agentId.toLowerCase() !== agentId)
    throw errors.invalid('signed_values', 'must have the agent_id of this request, values and expires_at');
  const left = said.expiresAt * 1000 - deps.clock.now();
  if (left <= 0 || left > LONGEST_MS)
    throw errors.invalid('signed_values', 'must have an expires_at within the next 24 hours');
  return said.values;
}
