import { leftOut, stays } from './columns.ts';
import type { PersonalTable } from './register.ts';

const MEMBER = 'an account of the operator; remove the member, and the account has no access';
const SIGN_IN = 'it ends with the session, at most 30 days after the sign-in';

/** Data of the people who work with the service. The erasure of a caller or callee does not touch it. */
const THEIRS = { leftOut: 'members read their own account in the dashboard' } as const;
const A_MEMBER = 'it belongs to a member, not to the person';

export const MEMBER_TABLES = {
  users: {
    holds: 'accounts of members',
    exporting: THEIRS,
    columns: {
      email: stays('email address', MEMBER),
      password_hash: stays('hash of the password', MEMBER),
      totp_secret: stays('sealed secret of two-step sign-in', MEMBER),
      recovery_codes: stays('hashes of recovery codes', MEMBER),
    },
  },
  sessions: {
    holds: 'sign-ins of members',
    exporting: THEIRS,
    columns: {
      address: stays('address', SIGN_IN),
      user_agent: stays('browser', SIGN_IN),
    },
  },
  account_log: {
    holds: 'sign-ins of members and changes of their accounts, for 400 days',
    exporting: THEIRS,
    columns: {
      by: stays('email address of the owner who helped', MEMBER),
      address: stays('address', MEMBER),
    },
  },
  invitations: {
    holds: 'invitations',
    exporting: THEIRS,
    columns: { email: stays('email address', 'it is deleted when the invitation is used or withdrawn') },
  },
  agent_versions: {
    holds: 'versions of agents',
    exporting: THEIRS,
    columns: { author: stays('email address of the member who published the version', MEMBER) },
  },
  api_keys: {
    holds: 'keys of the workspace',
    exporting: THEIRS,
    columns: {
      made_by: stays('email address of the owner who made the key', 'it ends with the key'),
      allowed_addresses: stays('addresses from which the key works', 'it is the data of the operator'),
    },
  },
  audit_log: {
    holds: 'who did what in the workspace',
    exporting: { by: 'entries that name a call or chat: what was done with it, and when' },
    columns: {
      actor: leftOut(
        A_MEMBER,
        stays('email address of a member, or a masked key', 'entries cannot be changed', 'audit_days'),
      ),
      address: leftOut(A_MEMBER, stays('address of the client', 'entries cannot be changed', 'audit_days')),
      request_id: leftOut(
        A_MEMBER,
        stays('id that the client may choose', 'entries cannot be changed', 'audit_days'),
      ),
      objects: stays('ids', 'they hold no personal data', 'audit_days'),
    },
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
