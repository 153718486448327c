import { Type, type TSchema } from 'typebox';
import { SCOPES } from '../../domain/access/scopes.ts';
import { ROLES } from '../../domain/users/roles.ts';
import { failures, IsoTime, nullable, Uuid } from '../common/schemas.ts';

const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  'x-rule': 'must be an email address',
  example: 'ann@example.com',
});
/** A password of a sign-in: any length that was ever allowed. */
const Password = Type.String({ minLength: 1, maxLength: 200, example: 'a passphrase' });
const NewPassword = Type.String({ minLength: 10, maxLength: 200, example: 'a long passphrase' });
const LinkToken = Type.String({ minLength: 1, maxLength: 100 });
const Code = Type.String({ minLength: 6, maxLength: 20, example: '123456' });
const RoleField = Type.Enum([...ROLES]);

export const Message = Type.Object({ message: Type.String() });
/** A 200 answer and the errors of a route without a key. */
export const dashboardAnswers = <T extends TSchema>(ok: T, ...statuses: readonly number[]) => ({
  200: ok,
  ...failures(...statuses),
});

export const FirstRunState = Type.Object({
  needed: Type.Boolean({ description: 'The installation has no user yet.' }),
});
export const FirstRunBody = Type.Object({ token: LinkToken, email: Email, password: NewPassword });
const SecondStep = Type.Optional(
  Type.String({
    minLength: 6,
    maxLength: 20,
    example: '123456',
    description: 'Of the authenticator app, or a recovery code.',
  }),
);
export const SignInBody = Type.Object({ email: Email, password: Password, code: SecondStep });
export const EndTwoStepBody = Type.Object({ password: Password, code: SecondStep });

export const Account = Type.Object({
  user: Type.Object({
    id: Uuid,
    email: Type.String(),
    two_step: Type.Boolean(),
    recovery_codes_left: Type.Integer(),
    operator: Type.Boolean({ description: 'Sees the settings and processes of the installation.' }),
  }),
  csrf_token: Type.String({ description: 'The header X-CSRF-Token of every change.' }),
  public_url: Type.String({
    description: "The service's own web address.",
    example: 'https://voice.example.com',
  }),
  workspaces: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      parent_workspace_id: nullable(Uuid),
      role: RoleField,
      timezone: Type.String({ example: 'Asia/Kolkata', description: 'By whose days it counts.' }),
      country: nullable(Type.String({ example: 'IN', description: 'Of numbers without a code.' })),
    }),
  ),
});
export const AccountLog = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Uuid,
      at: IsoTime,
      action: Type.String({ example: 'signed_in' }),
      by: nullable(Type.String({ description: 'Who did it, if not you.' })),
      address: nullable(Type.String({ description: 'The client address.' })),
    }),
  ),
});
export const PasswordLink = Type.Object({ url: Type.String(), expires_at: IsoTime });
export const NewPasswordBody = Type.Object({ token: LinkToken, password: NewPassword });
export const SessionList = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Uuid,
      current: Type.Boolean(),
      created_at: IsoTime,
      last_used_at: IsoTime,
      expires_at: IsoTime,
      address: Type.String(),
      user_agent: Type.String(),
    }),
  ),
});
export const SessionParams = Type.Object({ session_id: Type.String({ maxLength: 100 }) });
export const RevokedAnswer = Type.Object({ message: Type.String(), revoked_count: Type.Integer() });

export const PasswordBody = Type.Object({ password: Password, new_password: NewPassword });
export const ConfirmPasswordBody = Type.Object({ password: Password });
export const TwoStepAnswer = Type.Object({
  secret: Type.String({ description: 'Base 32, for authenticator apps.' }),
  url: Type.String({ description: 'The same as an otpauth link.' }),
});
export const CodeBody = Type.Object({ code: Code });
export const RecoveryCodesAnswer = Type.Object({ recovery_codes: Type.Array(Type.String()) });

export const MemberList = Type.Object({
  members: Type.Array(
    Type.Object({
      user_id: Uuid,
      email: Type.String(),
      role: RoleField,
      two_step: Type.Boolean(),
      created_at: IsoTime,
    }),
  ),
});
export const MemberParams = Type.Object({ user_id: Type.String({ maxLength: 100 }) });
export const RoleBody = Type.Object({ role: RoleField });
export const InvitationList = Type.Object({
  invitations: Type.Array(
    Type.Object({
      id: Uuid,
      email: Type.String(),
      role: RoleField,
      created_at: IsoTime,
      expires_at: IsoTime,
    }),
  ),
});
export const InvitationBody = Type.Object({ email: Email, role: RoleField });
export const InvitationAnswer = Type.Object({
  id: Uuid,
  url: Type.String({ description: 'The link of the invitation; shown only now.' }),
  expires_at: IsoTime,
});
export const InvitationParams = Type.Object({ invitation_id: Type.String({ maxLength: 100 }) });
export const InvitationLinkBody = Type.Object({ token: LinkToken });
export const InvitationDetails = Type.Object({
  workspace_name: Type.String(),
  email: Type.String(),
  role: RoleField,
  has_account: Type.Boolean({ description: 'The person signs in and accepts, and sets no password.' }),
});
export const AcceptBody = Type.Object({ token: LinkToken, password: Type.Optional(NewPassword) });

export const KeyAnswer = Type.Object({
  api_key: nullable(
    Type.Object({
      prefix: Type.String(),
      last_four: Type.String(),
      created_at: IsoTime,
      last_used_at: nullable(IsoTime),
    }),
  ),
});
export const RegenerateBody = Type.Object({
  workspace_name: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Needed to replace a key: the name of the workspace, as the confirmation.',
    }),
  ),
});
export const NewKeyAnswer = Type.Object({ api_key: Type.String({ description: 'Shown only now.' }) });

const KeyScopes = Type.Array(Type.Enum([...SCOPES]), {
  minItems: 1,
  maxItems: 100,
  description: 'What the key may do; docs/permissions.md has the scope of every operation.',
});
const KeyName = Type.String({ minLength: 1, maxLength: 100, example: 'CRM' });
const AllowedAddresses = Type.Array(Type.String({ maxLength: 50, example: '203.0.113.0/24' }), {
  minItems: 1,
  maxItems: 50,
  description: 'IP addresses and CIDR ranges from which the key works.',
});
export const KeyParams = Type.Object({ key_id: Type.String({ maxLength: 100 }) });
export const NamedKeyBody = Type.Object({
  name: KeyName,
  scopes: KeyScopes,
  expires_at: Type.Optional(
    nullable(
      Type.String({
        maxLength: 40,
        example: '2027-01-05',
        description: 'A time, or a day at whose end (UTC) the key expires. Null: it does not expire.',
      }),
    ),
  ),
  allowed_addresses: Type.Optional(nullable(AllowedAddresses)),
});
export const MadeKeyAnswer = Type.Object({
  id: Uuid,
  api_key: Type.String({ description: 'Shown only now.' }),
});
export const NamedKeyList = Type.Object({
  keys: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      scopes: Type.Array(Type.String()),
      prefix: Type.String(),
      last_four: Type.String(),
      expires_at: nullable(IsoTime),
      allowed_addresses: nullable(Type.Array(Type.String())),
      created_at: IsoTime,
      last_used_at: nullable(IsoTime),
      made_by: nullable(Type.String({ description: 'The owner who made it.' })),
    }),
  ),
});
