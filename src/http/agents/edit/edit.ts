import type { Static, TObject, TProperties } from 'typebox';
import type { OperationInput, OperationName } from '../../../domain/agents/edit/operations.ts';
import { wireInput } from '../../../shared/wire-input.ts';
import { wireName, type Own } from '../../../shared/wire-names.ts';
import { createBodyCheck } from '../../server/validation.ts';

/** One operation of PATCH /agent/v1: its wire name, the schema of its fields, and what it reads of a body. */
export interface Edit {
  readonly operation: OperationName;
  readonly wire: string;
  readonly fields: TObject;
  /** Throws 422 for a body that breaks the schema. */
  readonly read: (body: unknown) => OperationInput<OperationName>;
}

/** Pairs an operation with the schema of its fields, which must yield what the operation takes. */
export function edit<O extends OperationName, P extends TProperties>(
  operation: O,
  fields: TObject<P> & (Own<Static<TObject<P>>> extends OperationInput<O> ? unknown : never),
): Edit {
  const schema: TObject<P> = fields;
  const check = createBodyCheck(schema);
  const toInput = wireInput(schema);
  return {
    operation,
    wire: wireName(operation),
    fields,
    read: (body) => toInput(check(body)) as OperationInput<OperationName>,
  };
}
