import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { wireInput } from '../shared/wire-input.ts';

/** What a workspace's server signs for a page: the payload of a token. */
const Signed = Type.Object(
  {
    agent_id: Type.String(),
    values: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 1000 }), {
      maxProperties: 100,
    }),
    /** Seconds since 1970. */
    expires_at: Type.Integer(),
  },
  { additionalProperties: false },
);
const toSigned = wireInput(Signed);

/** Null for a payload of another form. */
export function readSigned(payload: string): ReturnType<typeof toSigned> | null {
  try {
    const said: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return Value.Check(Signed, said) ? toSigned(said) : null;
  } catch {
    return null;
  }
}
